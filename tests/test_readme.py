"""The README is complete, and what it says to type works."""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import click
import pytest
from commands import run
from pydantic import BaseModel

from pnp.check.facts import names_of
from pnp.check.registry import CHECKS
from pnp.cli import cli
from pnp.draw.textbox import DATA_KEYS
from pnp.problems import Problems
from pnp.read import presets
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.read.rulesschema import RulesFile
from pnp.read.schema import GameFile

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
# The tutorial has a game of its own, and test_tutorial.py to follow it.
TUTORIAL = README.partition("\n## Your first deck\n")[2].partition("\n## ")[0]


def models(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """A pydantic model and all models inside its fields."""
    yield model
    for field in model.model_fields.values():
        pending = [field.annotation]
        while pending:
            kind = pending.pop()
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                yield from models(kind)
            pending.extend(getattr(kind, "__args__", ()))


def blocks(language: str) -> list[str]:
    """The fenced code blocks of a language, in order; those of the tutorial are not among them."""
    return re.findall(rf"^```{language}\n(.*?)^```", README.replace(TUTORIAL, ""), re.MULTILINE | re.DOTALL)


def test_every_command_and_option_is_documented() -> None:
    """The command table names all commands and, for each, all its options."""
    lines = {match[1]: match[0] for match in re.finditer(r"^\| `pnp (\w+).*$", README, re.MULTILINE)}

    assert set(cli.commands) == set(lines)
    for name, command in cli.commands.items():
        options = {f"`{flag}`" for option in command.params if isinstance(option, click.Option) for flag in option.opts}
        assert [option for option in sorted(options) if option not in lines[name]] == []


def test_every_key_of_a_game_file_is_documented() -> None:
    """Each key that game.toml may have stands in the README in backquotes, sections in brackets."""
    keys = {key for model in models(GameFile) for key in model.model_fields} - {"game", "component", "expect", "layout"}

    assert [key for key in sorted(keys) if f"`{key}`" not in README and f"`[{key}]`" not in README] == []
    for section in (
        "[game]",
        "[palette]",
        "[fonts]",
        "[texts]",
        "[table.NAME]",
        "[component.NAME]",
        "[layout.NAME]",
        "[expect.COMPONENT]",
    ):
        assert f"**`{section}`**" in README


def test_every_preset_and_text_setting_is_documented() -> None:
    """Sizes with their measures, papers, and the settings of text boxes."""
    for name in presets.size_names():
        width, height = presets.card_size(name)
        assert f"`{name}` {width:g} × {height:g}" in README
    assert [name for name in presets.paper_names() if f"`{name}`" not in README] == []
    assert [key for key in DATA_KEYS if f"`data-{key}`" not in README] == []


def test_every_problem_rule_is_documented_and_every_documented_rule_exists() -> None:
    """The table of problems holds exactly the rules that the code can find."""
    section = README.partition("\n## Problems")[2].partition("\n## ")[0]
    documented = set(
        re.findall(r"`([a-z]+(?:-[a-z0-9]+)+)`", "\n".join(re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)))
    )
    source = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "pnp").rglob("*.py")))
    called = set(
        re.findall(r"(?:problems\.(?:error|warn)|_problem|Problem|Fault|\.fault)\(\s*\"([a-z]+(?:-[a-z0-9]+)+)\"", source)
    )
    raised = set(re.findall(r"BadText\([^()]*?(?:\([^()]*\)[^()]*?)*?,\s*\"([a-z]+(?:-[a-z0-9]+)+)\"", source))
    named = set(re.findall(r"(?:RULE = |rule, value, allowed, hint = )\"([a-z]+(?:-[a-z0-9]+)+)\"", source))
    checked = {rule for check in CHECKS.values() for rule in check.rules}

    assert documented - checked == (called | raised | named) - checked


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    """``docs/reference.py``, which writes parts of the README."""
    spec = importlib.util.spec_from_file_location("reference", ROOT / "docs" / "reference.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_command_stands_in_full_with_the_words_of_its_help(reference: ModuleType) -> None:
    """The README's section is what ``docs/reference.py`` makes of the commands now, with every option and its help."""
    section = README.partition("\n## Commands in full\n")[2].partition("\n## ")[0]
    told = dict(re.findall(r"^### `pnp ?(\w*).*?`\n(.*?)(?=^### |\Z)", section, re.MULTILINE | re.DOTALL))

    assert reference.commands_section() in section
    assert set(told) == {"", *cli.commands}
    for name, command in (("", cli), *cli.commands.items()):
        assert (command.help or "").split("\n")[0] in told[name]
        for option in (param for param in command.params if isinstance(param, click.Option)):
            assert all(f"`{flag}`" in told[name] for flag in (*option.opts, *option.secondary_opts))
            assert (option.help or "") in told[name]


def test_every_rule_of_the_checker_is_documented_from_its_docstring(reference: ModuleType) -> None:
    """The README's section is what ``docs/reference.py`` makes of the docstrings now."""
    assert reference.rules_section() in README
    for check in CHECKS.values():
        assert [rule for rule in check.rules if f"`{rule}`" not in reference.rules_section()] == []


def test_the_language_of_rules_is_documented() -> None:
    """Every key that rules.toml may have, and every name that its expressions may use."""
    section = README.partition("\n## rules.toml")[2].partition("\n## ")[0]
    keys = {field.alias or key for model in models(RulesFile) for key, field in model.model_fields.items()}
    names = set(names_of(read_game(Project(ROOT), "penguin", Problems()), {}, lambda steps: None))  # type: ignore[arg-type]

    assert [key for key in sorted(keys) if not re.search(rf"\b{key}\b", section)] == []
    assert [name for name in sorted(names) if f"`{name}" not in section] == []


def test_the_count_that_is_shown_is_the_count_that_comes() -> None:
    """The README's component table is what ``pnp count`` prints."""
    shown = next(block for block in blocks("text") if block.startswith("pirates-on-the-prowl"))

    assert shown == run("count", "pirates-on-the-prowl", at=ROOT).out


def test_what_the_readme_says_to_type_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own little game is written and built, and every ``pnp`` line leaves with 0."""
    for name in ("content", "templates"):
        shutil.copytree(ROOT / name, tmp_path / name)
    files = re.findall(r"`((?:content|templates)/mygame/[\w./-]+)`", README)
    texts = [*blocks("toml")[:1], *blocks("csv"), *blocks("jinja")]
    for name, text in zip(files, texts, strict=True):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    _, dice, allow, rules = blocks("toml")
    with (tmp_path / files[0]).open("a", encoding="utf-8") as game:
        game.write("\n" + dice)
    (tmp_path / files[0]).with_name("rules.toml").write_text(rules, encoding="utf-8")
    assert tomllib.loads(allow)["allow"][0].keys() == {"rule", "about", "because"}
    commands = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("pnp ")]
    monkeypatch.setenv("PNP_CONFIG", str(tmp_path / "settings"))

    assert len(commands) >= 12
    for command in commands:
        # What it counts is compared with what is shown above.
        if command != "pnp count pirates-on-the-prowl":
            done = run(*shlex.split(command)[1:], at=tmp_path)
            assert done.code == 0, f"{command}\n{done.err}"
    assert (tmp_path / "output/mygame/letter/print.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "output/mygame/a4/dice.pdf").is_file()


def test_ci_runs_the_readme_test_command() -> None:
    """What CI installs and runs is what the README tells a stranger to."""
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")

    assert "python3 -m venv .venv && .venv/bin/pip install -q -e '.[test]' && .venv/bin/pytest" in README
    assert ".venv/bin/pip install -q -e '.[test]'" in script
    assert script.rstrip().endswith(".venv/bin/pytest")


def test_every_table_rule_in_a_shipped_game_file_is_valid_toml() -> None:
    """The shipped game files name their schema, which lies where they say."""
    for path in sorted((ROOT / "content").glob("*/game.toml")):
        first = path.read_text(encoding="utf-8").splitlines()[0]

        assert first.startswith("#:schema ")
        assert (path.parent / first.removeprefix("#:schema ")).is_file()
        assert tomllib.loads(path.read_text(encoding="utf-8"))["game"]["name"]


@pytest.mark.parametrize("picture", sorted(set(re.findall(r"\]\((docs/[\w.-]+)\)", README))))
def test_pictures_are_there_and_small(picture: str) -> None:
    """A picture that the README shows is in the tree, under 300 kB."""
    assert 1000 < (ROOT / picture).stat().st_size < 300_000
