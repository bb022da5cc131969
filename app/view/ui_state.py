"""The state of panels and overlays between frames: what is open, typed, unfolded, dragged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.manual.manual_view import ManualView
from app.model.drive_filter import DriveFilter
from app.model.selection import Selection
from app.view.rect import Rect
from app.view.table_state import TableState

if TYPE_CHECKING:
    from app.files.browse import Browse
    from app.view.saving import Leaving, Saving


@dataclass
class NumberEdit:
    """A number being dragged or typed: its widget, the value asked for, the numbers before, and how far the mouse has
    moved since."""

    key: str
    value: float
    start: tuple[float, ...] = ()
    pixels: float = 0.0
    typed: bool = False


@dataclass
class UiState:
    """The state of panels and overlays."""

    # panel -> the size that the user gave it, and its size now; and the size of the window that these are for
    docked: dict[str, float] = field(default_factory=dict)
    measured: dict[str, float] = field(default_factory=dict)
    # panel -> the share of the window that the user gave it
    docked_shares: dict[str, float] = field(default_factory=dict)
    docked_in: tuple[float, float] = (0.0, 0.0)
    # the panel that is open in a window without room beside the picture
    sheet: str = ""
    # what else is drawn in the view -> where; cards keep clear of it
    taken: dict[str, Rect] = field(default_factory=dict)
    # somebody drives in a browser who is not the owner: `visitors.py`
    visitor_drives: bool = False
    # the tooltip that is shown, for what asks about the thing under the pointer
    hint: str = ""
    manual: ManualView = field(default_factory=ManualView)
    show_profiler: bool = False
    show_sensors: bool = False
    show_palette: bool = False
    show_gallery: bool = False
    # the menu of the record button is asked for; what is typed there as a size
    show_video_options: bool = False
    typed_size: str = ""
    # the end of an axis under the pointer: axis, or -1 beside all of them, and sign
    gizmo_side: tuple[int, int] | None = None
    # the card chosen with arrow keys or mouse
    gallery_card: int = 0
    # the file dialog, while it is open
    browse: Browse | None = None
    # a save that is under way; the files that were saved before, which are not asked about again, and what to leave out
    saving: Saving | None = None
    saved_files: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    # the edits that the file does not have, here and on other branches, and what the user is about to do even so
    unsaved: tuple[str, ...] = ()
    unsaved_elsewhere: tuple[str, ...] = ()
    # how many edits were sent, and how many of them the snapshot knows that the window shows
    edits_sent: Callable[[], int] = lambda: 0
    edits_shown: int = 0
    leaving: Leaving | None = None
    # thumbnails that the gallery has loaded, by scene, as ImGui textures
    thumbnails: dict[object, Any] = field(default_factory=dict)
    # text of the search fields: options, numbers of the model, visual settings, model tree, sensors
    search: str = ""
    field_search: str = ""
    visual_search: str = ""
    tree_search: str = ""
    sensor_search: str = ""
    # the contact table: its filter, whether pairs of bodies are one row, and the pairs that are unfolded
    contact_filter: str = ""
    contact_pairs: bool = False
    unfolded_pairs: set[tuple[int, int]] = field(default_factory=set)
    # by the names of tables: filters, widths, prefixes
    tables: dict[str, TableState] = field(default_factory=dict)
    # the geoms whose contacts are under the microscope, and the model that they belong to
    microscope: tuple[object, int, int] | None = None
    # the expression of a new breakpoint; the number of the one that is being edited, with its text
    break_typed: str = ""
    break_edited: tuple[int, str] | None = None
    # which rows the panels Controls and Joints show
    controls: DriveFilter = field(default_factory=DriveFilter)
    joints: DriveFilter = field(default_factory=DriveFilter)
    # the name of a new keyframe
    key_name: str = ""
    # nodes of the model tree that were opened or, below the world, closed
    unfolded: set[tuple[str, int]] = field(default_factory=set)
    # the selection that the model tree has scrolled to
    tree_selection: Selection | None = None
    # the number that is being dragged or typed
    editing: NumberEdit | None = None
    # text of the command palette, None before it has the keyboard; the chosen entry
    palette_text: str | None = None
    palette_row: int = 0
    # an action that a panel asks for, done when all panels are drawn
    request: Callable[..., None] | None = None
    # the panel in whose tab bar the list of tabs is open; the layout that is asked for
    tabs_of: str = ""
    layout: str = ""
    # a panel to bring to the front
    reveal: str = ""
    # the largest value that each type of sensor has shown
    sensor_scale: dict[int, float] = field(default_factory=dict)

    @property
    def edits_under_way(self) -> bool:
        """Whether an edit was sent that the window does not show yet."""
        return self.edits_sent() > self.edits_shown
