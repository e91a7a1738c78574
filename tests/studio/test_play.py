"""A shipped game is played in the studio, in two windows; and no move loses a piece."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from commands import run
from served import PATIENCE, WINDOW, browser, serve, tab, wait_for

from pnp.studio.messages import DesignSeen, LyingSeen, TableSeen, TablesSeen
from pnp.studio.tabletop import Piece, Stack, Tabletop

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

__all__ = ["browser"]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("play")
    assert run("new", "penguin", "--from", "penguin", at=made).code == 0
    return made


@pytest.fixture(scope="module")
def windows(browser: Browser, root: Path) -> Iterator[tuple[Page, Page]]:
    """Two on one game, at its table."""
    served = serve(root, "penguin")
    context = browser.new_context(**WINDOW)
    context.set_default_timeout(PATIENCE)
    pages = context.new_page(), context.new_page()
    complaints: list[str] = []
    for page, address in zip(pages, (served.address, f"{served.base}/game/penguin"), strict=True):
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        page.locator(".face img").first.wait_for()
        tab(page, "Play")
    yield pages
    context.close()
    served.stop()
    assert "Traceback" not in served.complained
    assert complaints == []


def seen(page: Page, where: str) -> list[tuple[str | None, ...]]:
    """The pieces on the table or in the hand: their words, places and pictures."""
    return [
        (lump.get_attribute("aria-label"), lump.get_attribute("style"), lump.locator("img").get_attribute("src"))
        for lump in page.locator(f"{where} .lump").all()
    ]


def pile(page: Page, title: str) -> Locator:
    return page.locator(f".felt .lump[aria-label^='{title}']").first


def told(windows: tuple[Page, Page], text: str) -> None:
    """Until both windows say what was done."""
    for page in windows:
        wait_for(page, text)


def set_up(page: Page, players: str, seed: str) -> None:
    page.get_by_role("combobox", name="Players").click()
    page.get_by_role("option", name=players, exact=True).click()
    page.get_by_role("spinbutton", name="Seed").fill(seed)
    page.get_by_role("button", name="Set up", exact=True).click()


def test_two_windows_play_a_game(windows: tuple[Page, Page], root: Path) -> None:
    """Each sees every move of the other, and nothing of the other's hand; the files of the game stay as they are."""
    one, two = windows
    files = {path: path.read_bytes() for path in (root / "content").rglob("*") if path.is_file()}
    set_up(one, "2 players", "7")
    told(windows, "Set up for 2 players, seed 7")
    # Each window fits the table into itself as soon as it knows how large that is.
    until = time.monotonic() + PATIENCE / 1000
    while seen(one, ".felt") != seen(two, ".felt") and time.monotonic() < until:
        one.wait_for_timeout(50)
    assert seen(one, ".felt") == seen(two, ".felt") != []
    hands = seen(one, ".hand"), seen(two, ".hand")
    assert len(hands[0]) == len(hands[1]) > 0 and hands[0] != hands[1], "each sits at a seat of its own"
    holds = len(hands[0])
    assert f"Player 1 holds {holds}" in two.locator(".hand").inner_text()

    # Shuffled and drawn: the other sees the pile become lower, and no other picture.
    deck = pile(one, "Penguin cards, face down")
    count = int(deck.locator("b").inner_text())
    deck.focus()
    one.keyboard.press("s")
    told(windows, "Shuffled: Penguin cards, face down")
    before = [source for _, _, source in seen(two, ".felt") + seen(two, ".hand")]
    one.keyboard.press("d")
    told(windows, f"Player 1 drew, and holds {holds + 1}")
    drawn = seen(one, ".hand")[-1]
    assert seen(one, ".hand")[:-1] == hands[0] and seen(two, ".hand") == hands[1]
    assert [source for _, _, source in seen(two, ".felt") + seen(two, ".hand")] == before
    assert pile(two, "Penguin cards, face down").locator("b").inner_text() == f"{count - 1}"

    # Played face down, turned over: now the other sees what it was.
    one.locator(".hand .lump").last.focus()
    one.keyboard.press("f")
    told(windows, "Player 1 played: Penguin cards, face down")
    assert drawn[2] not in [source for _, _, source in seen(two, ".felt")]
    one.wait_for_function("document.activeElement.matches('.felt .lump')")
    one.keyboard.press("f")
    told(windows, f"Flipped: {drawn[0]}")
    played = two.locator(f'.felt .lump[aria-label="{drawn[0]}"]').last
    assert str(played.locator("img").get_attribute("src")).partition("?")[0] == str(drawn[2]).partition("?")[0]

    # The other takes it with the mouse into the hand of its own.
    box, hand = played.bounding_box(), two.locator(".hand").bounding_box()
    assert box is not None and hand is not None
    two.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    two.mouse.down()
    two.mouse.move(hand["x"] + 400, hand["y"] + 40, steps=5)
    two.mouse.up()
    told(windows, f"Player 2 drew, and holds {holds + 1}")
    assert len(seen(two, ".hand")) == holds + 1 and seen(one, ".felt") == seen(two, ".felt")

    # Taken back by the one, made again by the other.
    one.keyboard.press("Control+z")
    told(windows, "Taken back: Player 2 drew")
    assert len(seen(two, ".hand")) == holds
    two.get_by_role("button", name="Redo").click()
    told(windows, "Again: Player 2 drew")
    assert len(seen(two, ".hand")) == holds + 1

    # Moved by the arrows and turned: in both windows it lies in the same place.
    deck.focus()
    place = deck.bounding_box()
    one.keyboard.press("ArrowRight")
    told(windows, "Moved: ")
    one.keyboard.press("r")
    told(windows, "Turned: ")
    assert seen(one, ".felt") == seen(two, ".felt")
    assert "rotate:90deg" in str(deck.get_attribute("style")) and deck.bounding_box() != place

    # A die that the game has not: two of them lie on each other, and are rolled together.
    for _ in range(2):
        two.get_by_role("button", name="Die", exact=True).click()
    told(windows, "Laid: Die: 1, 2 pieces")
    two.locator(".lump[aria-current]").focus()
    two.keyboard.press("s")
    told(windows, "Rolled: Die: ")
    assert seen(one, ".felt") == seen(two, ".felt")

    # What no page of ours sends is of no piece, and does not end the view of who sent it.
    before, held = seen(one, ".felt"), seen(two, ".hand")
    for forged in ("'9'.repeat(5000)", "'hand' + '9'.repeat(5000)", "'hand-1'", "'-1'", "7"):
        two.evaluate(f"emitEvent('play', ['choose', {forged}]); emitEvent('play', ['d', {forged}, '1', NaN, true])")
        two.evaluate(f"emitEvent('play', ['d', {forged}, 1e300, -1e300, true])")
        two.locator(".acts h2").wait_for(state="detached", timeout=5000)
    one.locator(".felt .lump[aria-current]").focus()
    one.keyboard.press("r")
    told(windows, "Turned: ")
    assert len(seen(one, ".felt")) == len(before) and seen(one, ".felt") == seen(two, ".felt")
    assert seen(two, ".hand") == held

    set_up(two, "2 players", "7")
    told(windows, "Set up for 2 players, seed 7")
    assert (seen(one, ".hand"), seen(two, ".hand")) == hands, "the same seed deals the same"
    assert {path: path.read_bytes() for path in (root / "content").rglob("*") if path.is_file()} == files


def test_a_window_that_is_loaded_anew_keeps_its_seat(windows: tuple[Page, Page]) -> None:
    """And no other one, whoever moves meanwhile: the next window finds the seat that is free."""
    one, two = windows
    set_up(one, "3 players", "7")
    told(windows, "Set up for 3 players, seed 7")
    two.reload()
    one.get_by_role("button", name="Chip").click()
    wait_for(one, "Laid: ")
    tab(two, "Play")
    two.wait_for_function("document.querySelector('input[aria-label=\"You are\"]')?.value === 'Player 2'")
    three = one.context.new_page()
    three.goto(one.url)
    three.locator(".face img").first.wait_for()
    tab(three, "Play")
    three.wait_for_function("document.querySelector('input[aria-label=\"You are\"]')?.value === 'Player 3'")
    three.close()


def test_no_move_loses_a_piece() -> None:
    """Whatever is done in whatever order, each piece is there once; the same moves after the same seed come to the same."""
    designs = {
        "card": DesignSeen("Cards", 63, 88, (("a", "One"), ("b", "Cards"))),
        "other": DesignSeen("Cards", 63, 88, (("c", "Two"), ("b", "Cards"))),
        "die": DesignSeen("Dice", 16, 16, tuple((f"{n}", f"{n}") for n in range(6)), die=True),
        "board": DesignSeen("Board", 300, 300, (("e", "Board"),)),
    }
    cards: tuple[Piece, ...] = (("card", 1), ("other", 1)) * 4
    lying = (
        LyingSeen(200, 200, 0, (("board", 0),), fixed=True),
        LyingSeen(100, 100, 0, cards, "Cards", 80, deals=2),
        *(LyingSeen(100 + 60 * at, 300, 0, (piece,), pool="sea") for at, piece in enumerate(cards)),
        *(LyingSeen(300 + at, 100, 0, (("die", 0),)) for at in range(3)),
    )
    room = TableSeen("2 players", 2, 600, 400, 5, lying)
    whole = Counter(name for each in lying for name, _ in each.pieces)

    def state(table: Tabletop) -> object:
        return {number: repr(stack) for number, stack in table.stacks.items()}, [[*hand] for hand in table.hands]

    def played(seed: int) -> Tabletop:
        table, chance = Tabletop(), Random(seed)
        table.took(TablesSeen(designs, (room,)))
        table.set_up(room, seed)
        assert [len(hand) for hand in table.hands] == [2, 2]
        for _ in range(200):
            stack = chance.choice(list(table.stacks.values()))
            at, seat = (chance.random() * 600, chance.random() * 400), chance.randrange(2)
            if table.hands[seat] and chance.random() < 0.3:
                table.play(seat, chance.randrange(len(table.hands[seat])), *at, chance.random() < 0.5)
            elif chance.random() < 0.3:
                table.drop(stack, *at, chance.random() < 0.5)
            elif chance.random() < 0.3:
                table.draw(stack, seat)
            else:
                chance.choice((table.flip, table.turn, table.shuffle, table.lift, table.join, table.deal))(stack)
            there = [*(name for each in table.stacks.values() for name, _ in each.pieces)]
            held = [name for hand in table.hands for name, _ in hand]
            assert Counter(there + held) == whole
            assert all(0 <= each.x <= 600 and 0 <= each.y <= 400 for each in table.stacks.values())
        # Taken back as far as it goes and made again, all lies as it lay; a new move ends what could be made again.
        end = state(table)
        for _ in range(300):
            table.step(True)
        first = state(table)
        for _ in range(300):
            table.step(False)
        assert state(table) == end != first
        table.step(True)
        table.turn(next(iter(table.stacks.values())))
        other = state(table)
        table.step(False)
        assert state(table) == other
        board = next(each for each in table.stacks.values() if each.fixed)
        assert isinstance(board, Stack) and (board.x, board.y, len(board.pieces)) == (200, 200, 1)
        return table

    for seed in range(30):
        one, other = played(seed), played(seed)
        assert (one.stacks, one.hands) == (other.stacks, other.hands)

    # Pieces that have no room now: nothing is taken from the table for it.
    stacks, hands = list(one.stacks), list(one.hands)
    one.took(TablesSeen({}, (), "No room."))
    assert (list(one.stacks), one.hands) == (stacks, hands) and one.called(one.stacks[stacks[0]])

    # Drawn anew without one of its designs, the rest of the table stays as it lies.
    one.took(TablesSeen({name: each for name, each in designs.items() if name != "other"}, (room,)))
    left = [name for pieces in (*(each.pieces for each in one.stacks.values()), *one.hands) for name, _ in pieces]
    assert Counter(left) == Counter({name: number for name, number in whole.items() if name != "other"})
