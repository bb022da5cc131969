"""Sleep: trees that stand still are left out of every stage until something disturbs them.

A tree that was slow for MINAWAKE steps is ready; an island of ready trees falls asleep, and so does a ready tree in no
island. tree_asleep is the truth: the countdown of a tree that is awake, and for those that fell asleep together a
cycle, each naming the next. `awake` makes of it the lists that stages loop over; of a sleeping tree nothing is
computed, all its fields keep their last values. `disturb` sees what the user does to it, `wake` wakes it, `rest` lets
it fall asleep.
"""
