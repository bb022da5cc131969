"""Building and changing models by program: a tree of MJCF elements that compiles to a Model at any time.

    spec = Spec()                                   # or Spec.load("robot.xml"), Spec.loads(text, assets)
    arm = spec.world.add("body", name="arm", pos=(0, 0, 1))
    arm.add("joint", type="hinge", axis=(0, 1, 0))
    arm.add("geom", type="capsule", fromto=(0, 0, 0, 0, 0, 1), size=(0.05,))
    spec.add("motor", joint=...)
    m = spec.compile()

An `Element` is a node of the tree with typed attributes, by the table in `sim.attributes`: a value is written as the
shortest text that reads back the same bits, and a bad one is refused at once, with the place of the program's line that
added the element. What an element does not say comes from its default class, as in a file.

Every edit is made of a few kinds of reversible changes of the tree: the text of an attribute, a tag, a node that is
inserted or removed. They are kept in a journal, in groups: `with spec.edit("delete the arm"):` makes one group of what
happens inside, and a call outside of any group is a group of its own. `spec.undo()` and `spec.redo()` move by
one group in time proportional to its size, also over deletions and attachments, and elements keep their identity, so a
selection survives. An editor shows the journal, compiles after each group, and carries the state over with
`spec.recompile(m, d)`; if an edit does not compile, the error names the element, and undoing it is one call.
"""

from __future__ import annotations

from sim.spec.element import Element
from sim.spec.spec import Spec

__all__ = ["Element", "Spec"]
