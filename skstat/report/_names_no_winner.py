"""Reports on values of which nobody knows which way is better: they name no winner."""

from typing import Any, TypeVar

from skstat.report._contents import asks_for_direction, without_winner

Anything = TypeVar("Anything")


class NamesNoWinner:
    """What reports say where their ``direction_assumed`` is not empty: higher and lower."""

    @property
    def _words_kept(self: Any) -> tuple[str, ...]:
        """Names that stay as they are, whatever words they hold."""
        return (*self.names, self.metric)

    def _undirected(self: Any, said: Anything) -> Anything:
        """Return what is said, without a winner where nobody knows which way is better."""
        return without_winner(said, self._words_kept) if self.direction_assumed else said

    def _drawn(self: Any, display: Anything) -> Anything:
        """Return a picture, whose texts name no winner where nobody knows who it is."""
        if self.direction_assumed:
            figure: Any = display.figure_  # type: ignore[attr-defined]
            for text in figure.findobj(lambda artist: hasattr(artist, "set_text")):
                text.set_text(self._undirected(text.get_text()))
        return display

    def _first_asks(self: Any, said: str) -> str:
        """Say first what to pass, where nobody knows which way is better."""
        if not self.direction_assumed:
            return said
        return f"{asks_for_direction(self.metric, self.direction_assumed)} {said}"

    def _refuse_to_choose(self: Any) -> None:
        if self.direction_assumed:
            raise ValueError(
                f"{asks_for_direction(self.metric, self.direction_assumed)} Else there is "
                "nothing to choose by."
            )
