// Writes HTML as NiceGUI's own html.js does, but into the elements that are there: what is the same stays, with its focus.
// An element that is busy, typed into or held by the pointer, is left alone until it rests.
const same = (old, fresh) => old.nodeName === fresh.nodeName && old.dataset?.at === fresh.dataset?.at;
const put = (old, fresh) => {
  if (old.busy) return;
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (["input", "textarea"].includes(old.localName)) old.value = fresh.value;
  within(old, fresh);
};
const within = (old, fresh) => {
  const left = [...old.childNodes];
  const nodes = [...fresh.childNodes].map((child) => {
    const at = left.findIndex((each) => same(each, child));
    if (at < 0) return child;
    const [kept] = left.splice(at, 1);
    put(kept, child);
    return kept;
  });
  // First: what stays is not moved, which would take its focus away.
  left.forEach((each) => each.remove());
  nodes.forEach((node, at) => node === old.childNodes[at] || old.insertBefore(node, old.childNodes[at] ?? null));
};
export default {
  template: `<component :is="tag"></component>`,
  props: { innerHTML: String, tag: String, sanitize: Boolean },
  mounted() {
    this.$el.addEventListener("rest", () => this.put());
    this.put();
  },
  updated() {
    if (this.innerHTML !== this.last) this.put();
  },
  methods: {
    put() {
      const made = document.createElement("template");
      made.innerHTML = this.last = this.innerHTML;
      within(this.$el, made.content);
    },
  },
};
