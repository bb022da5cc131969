"""Attributes of custom fields and keyframes."""

CUSTOM_TEXT = """
# numeric
name     str!    ""
size     int
data     real[]  ()

# text
name     str!    ""
data     str!    ""

# tuple
name     str!    ""

# element
objtype  enum:object!
objname  str!
prm      real    0

# key
time     real    0   key_time f8               s
    time
qpos     real[]  ()  key_qpos f8 nkey,nq       q
    generalized coordinates
qvel     real[]  ()  key_qvel f8 nkey,nv       q/s
    velocities
act      real[]  ()  key_act f8 nkey,na
    activations
mpos     real[]  ()  key_mpos f8 nkey,nmocap3  m
    mocap positions
mquat    real[]  ()  key_mquat f8 nkey,nmocap4
    mocap orientations
ctrl     real[]  ()  key_ctrl f8 nkey,nu
    controls
plastic  real[]  ()  key_plastic f8 nkey,nplastic
    rest of plastic springs
"""
