// What a page says whose studio does not answer, over all else: what would be typed now would be lost.
(async () => {
  const box = document.getElementById("ended"), pause = ms => new Promise(done => setTimeout(done, ms));
  const say = text => { box.firstChild.textContent = text; if (!box.open) box.showModal(); };
  box.addEventListener("cancel", event => event.preventDefault());
  while (!window.socket) await pause(100);
  window.socket.on("connect", () => box.close());
  window.socket.on("disconnect", async () => {
    say("The studio does not answer. Looking for it …");
    let ended = false;
    for (let tries = 0; !window.socket.connected; tries++) {
      const status = await fetch("/here").then(answer => answer.status, () => 0);
      if (window.socket.connected) return;
      if (status === 204 && ended) location.reload();
      if (status === 204 && tries > 1) say("The studio is busy. This page goes on by itself.");
      if (status === 403) say("Open the last address that pnp studio has printed. What you wrote is kept there.");
      if (status === 0 && tries > 1) say("The studio of this page has ended. What you wrote is kept. Type: pnp studio");
      if (status !== 204 && tries > 1) { ended = true; window.socket.disconnect(); }
      await pause(500);
    }
  });
})();
