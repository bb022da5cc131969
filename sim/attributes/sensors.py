"""Attributes of sensors."""

# sensors by the object they are attached to
SITE = "touch accelerometer velocimeter gyro force torque magnetometer"
JOINT = "jointpos jointvel jointactuatorfrc ballquat ballangvel jointlimitpos jointlimitvel jointlimitfrc"
TENDON = "tendonpos tendonvel tendonactuatorfrc tendonlimitpos tendonlimitvel tendonlimitfrc"
ACTUATOR = "actuatorpos actuatorvel actuatorfrc"
RELATIVE = "framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel"
FRAME = f"{RELATIVE} framelinacc frameangacc"
SUBTREE = "subtreecom subtreelinvel subtreeangmom"
DISTANCE = "distance normal fromto"
OTHER = "camprojection rangefinder insidesite contact e_potential e_kinetic clock"
BUILTIN = f"{SITE} {JOINT} {TENDON} {ACTUATOR} {FRAME} {SUBTREE} {DISTANCE} {OTHER}"

SENSORS_TEXT = f"""
# sensor: sensor/ {BUILTIN} tactile user
user       real[]         ()    sensor_user f8 nsensor,nuser_sensor
    user data

# sensor: sensor/ {BUILTIN} tactile
nsample    int            0
interp     enum:interp    zoh
delay      real           0     sensor_delay f8     s  0.001 >=0
    delay of the reading
    > as actuator/delay
interval   real[1-2]      0 0   sensor_interval f8  s
    sampling period and phase

# sensor: sensor/ {BUILTIN} tactile user
cutoff     real           0     sensor_cutoff f8
    cutoff for real and positive data; 0: none

# sensor: sensor/ {BUILTIN} user
noise      real           0     sensor_noise f8
    noise standard deviation given in the file; no noise is added

# sensor: sensor/ {SITE} camprojection insidesite
site       str!

# sensor: sensor/ camprojection
camera     str!

# sensor: sensor/ rangefinder contact
site       str
data       str

# sensor: sensor/ rangefinder
camera     str

# sensor: sensor/ {JOINT}
joint      str!

# sensor: sensor/ {TENDON}
tendon     str!

# sensor: sensor/ {ACTUATOR}
actuator   str!

# sensor: sensor/ {FRAME} insidesite
objtype    enum:frameobj!
objname    str!

# sensor: sensor/ insidesite
enclosed   bool           false

# sensor: sensor/ {RELATIVE}
reftype    enum:frameobj
refname    str

# sensor: sensor/ {SUBTREE}
body       str!

# sensor: sensor/ {DISTANCE} contact
geom1      str
geom2      str
body1      str
body2      str

# sensor: sensor/ contact
subtree1   str
subtree2   str
num        int
reduce     enum:reduce

# sensor: sensor/ tactile
geom       str!
mesh       str!

# sensor: sensor/ user
objtype    enum:object
objname    str
datatype   enum:datatype  real  sensor_datatype i4
    data type: real, positive, axis or quaternion
needstage  enum:stage     acc   sensor_needstage i4
    compute stage: position, velocity or acceleration
dim        int!           0
"""
