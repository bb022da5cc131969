"""A model in which every kind of range has an infinite end."""

from __future__ import annotations

INFINITE = """<mujoco><worldbody><geom type="plane" size="1 1 1" pos="0 0 -3"/>
  <body><joint name="round" range="-inf inf" actuatorfrcrange="-INF 3" stiffness="1"/>
    <joint name="up" type="slide" axis="0 0 1" range="-1 +Infinity"/><geom size=".1" pos=".3 0 0"/>
    <site name="s"/></body>
  <body pos="0 1 1"><joint name="ball" type="ball" range="0 inf"/><geom size=".1" pos=".3 0 0"/><site name="t"/></body>
  <body pos="1 1 1"><joint name="never" range="inf inf"/><geom size=".1" pos=".3 0 0"/></body></worldbody>
<tendon><spatial name="cord" range="0 inf" actuatorfrcrange="-inf inf"><site site="s"/><site site="t"/></spatial>
</tendon>
<actuator><position name="servo" joint="round" kp="5" ctrlrange="-inf inf" forcerange="-inf inf"/>
  <motor name="above" joint="never" ctrlrange="1 inf" forcerange="0 inf"/>
  <intvelocity name="speed" joint="up" actrange="-inf inf" kp="3"/></actuator></mujoco>"""
