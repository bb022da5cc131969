"""The contact microscope without a contact: the strongest ones to choose from."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from app.instruments.contact.table import contact_table, geom_names
from app.model.views import ModelView, StateView
from app.ui.quantities import quantity
from app.ui.widgets import caption, elide, selectable
from app.view.view_state import ViewState

# contacts that are offered
OFFERED = 12


def choose_contact(model: ModelView, state: StateView, view: ViewState) -> None:
    """Contacts to choose from, those of the selected element first, then by force."""
    imgui.push_text_wrap_pos(0)
    if not len(state.contact.dim):
        caption("Nothing touches at this moment.")
        imgui.pop_text_wrap_pos()
        return
    caption("Select a contact: here, in the Contacts table, or in the view (C shows them).")
    imgui.pop_text_wrap_pos()
    contacts, names = contact_table(model, state), geom_names(model).full
    body = view.selection.body(model, state) if view.selection is not None else -1
    ours = (contacts.bodies == body).any(axis=1) if body > 0 else np.zeros(len(contacts.state), bool)
    for index in np.lexsort((-contacts.normal, ~ours))[:OFFERED].tolist():
        first, second = (names[g] for g in contacts.geoms[index])
        force = quantity(float(contacts.normal[index]), "N")
        room = imgui.get_content_region_avail().x
        if selectable(f"{elide(f'{force}   {first}  –  {second}', room)}##{index}", False, f"select contact {index}"):
            view.select("contact", index)
