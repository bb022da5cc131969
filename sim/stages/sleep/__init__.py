"""Sleep: trees at rest are skipped by every stage until something wakes them.

A tree that was slow for MINAWAKE steps is ready to sleep; an island of ready trees falls asleep, and so does a ready
tree in no island. tree_asleep is the sleep state: the countdown of an awake tree; trees that fell asleep together form
a cycle, each with the index of the next. `awake` derives from it the index lists over which the stages loop; nothing is
computed for a sleeping tree, whose fields keep their last values. `user_changes` detects what the user changed in a
sleeping tree, `wake` wakes trees, `fall_asleep` puts them to sleep.
"""
