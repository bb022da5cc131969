"""Enum constants with MuJoCo's names (without `mj`) and values; kernels use them as plain integers."""

# m.jnt_type
JNT_FREE = 0
JNT_BALL = 1
JNT_SLIDE = 2
JNT_HINGE = 3

# m.geom_type
GEOM_PLANE = 0
GEOM_HFIELD = 1
GEOM_SPHERE = 2
GEOM_CAPSULE = 3
GEOM_ELLIPSOID = 4
GEOM_CYLINDER = 5
GEOM_BOX = 6
GEOM_MESH = 7
GEOM_SDF = 8

# m.tex_type
TEXTURE_2D = 0
TEXTURE_CUBE = 1
TEXTURE_SKYBOX = 2

# m.cam_mode, m.light_mode: how cameras and lights track bodies
CAMLIGHT_FIXED = 0
CAMLIGHT_TRACK = 1
CAMLIGHT_TRACKCOM = 2
CAMLIGHT_TARGETBODY = 3
CAMLIGHT_TARGETBODYCOM = 4

# m.cam_projection
PROJ_PERSPECTIVE = 0
PROJ_ORTHOGRAPHIC = 1

# m.*_sameframe: alignment of a frame with the frame or the inertial frame of its body
SAMEFRAME_NONE = 0
SAMEFRAME_BODY = 1
SAMEFRAME_INERTIA = 2
SAMEFRAME_BODYROT = 3
SAMEFRAME_INERTIAROT = 4

# opt.disableflags
DSBL_CONSTRAINT = 1 << 0
DSBL_EQUALITY = 1 << 1
DSBL_FRICTIONLOSS = 1 << 2
DSBL_LIMIT = 1 << 3
DSBL_CONTACT = 1 << 4
DSBL_SPRING = 1 << 5
DSBL_DAMPER = 1 << 6
DSBL_GRAVITY = 1 << 7
DSBL_CLAMPCTRL = 1 << 8
DSBL_WARMSTART = 1 << 9
DSBL_FILTERPARENT = 1 << 10
DSBL_ACTUATION = 1 << 11
DSBL_REFSAFE = 1 << 12
DSBL_SENSOR = 1 << 13
DSBL_MIDPHASE = 1 << 14
DSBL_EULERDAMP = 1 << 15
DSBL_AUTORESET = 1 << 16
DSBL_NATIVECCD = 1 << 17
DSBL_ISLAND = 1 << 18
DSBL_MULTICCD = 1 << 19

# opt.enableflags
ENBL_OVERRIDE = 1 << 0
ENBL_ENERGY = 1 << 1
ENBL_FWDINV = 1 << 2
ENBL_INVDISCRETE = 1 << 3
ENBL_SLEEP = 1 << 4
ENBL_DIAGEXACT = 1 << 5
ENBL_SPECULATIVE = 1 << 7

# opt.integrator
INT_EULER = 0
INT_RK4 = 1
INT_IMPLICIT = 2
INT_IMPLICITFAST = 3
INT_DISCRETE = 4
INT_SPRINGDAMPER = 5  # not in MuJoCo

# opt.cone, opt.jacobian, opt.solver
CONE_PYRAMIDAL = 0
CONE_ELLIPTIC = 1
JAC_DENSE = 0
JAC_SPARSE = 1
JAC_AUTO = 2
SOL_PGS = 0
SOL_CG = 1
SOL_NEWTON = 2

# d.efc_type; d.efc_state: the branch of its cost in which a row is
CNSTR_EQUALITY = 0
CNSTR_FRICTION_DOF = 1
CNSTR_FRICTION_TENDON = 2
CNSTR_LIMIT_JOINT = 3
CNSTR_LIMIT_TENDON = 4
CNSTR_CONTACT_FRICTIONLESS = 5
CNSTR_CONTACT_PYRAMIDAL = 6
CNSTR_CONTACT_ELLIPTIC = 7
CNSTRSTATE_SATISFIED = 0
CNSTRSTATE_QUADRATIC = 1
CNSTRSTATE_LINEARNEG = 2
CNSTRSTATE_LINEARPOS = 3
CNSTRSTATE_CONE = 4

# components of a state vector, in the order in which they are concatenated; and common combinations
STATE_TIME = 1 << 0
STATE_QPOS = 1 << 1
STATE_QVEL = 1 << 2
STATE_ACT = 1 << 3
STATE_HISTORY = 1 << 4
STATE_WARMSTART = 1 << 5
STATE_CTRL = 1 << 6
STATE_QFRC_APPLIED = 1 << 7
STATE_XFRC_APPLIED = 1 << 8
STATE_EQ_ACTIVE = 1 << 9
STATE_MOCAP_POS = 1 << 10
STATE_MOCAP_QUAT = 1 << 11
STATE_USERDATA = 1 << 12
STATE_PLUGIN = 1 << 13  # plugins are not supported: always empty
STATE_PLASTIC = 1 << 14
NSTATE = 15
# not in MuJoCo: the mouse perturbation; settings of the control noise; which trees sleep, and results that they keep
STATE_PERTURB = 1 << NSTATE
STATE_NOISE = 1 << NSTATE + 1
STATE_SLEEP = 1 << NSTATE + 2
STATE_PHYSICS = STATE_QPOS | STATE_QVEL | STATE_ACT | STATE_HISTORY | STATE_PLASTIC
STATE_FULLPHYSICS = STATE_TIME | STATE_PHYSICS | STATE_PLUGIN
STATE_USER = (
    STATE_CTRL
    | STATE_QFRC_APPLIED
    | STATE_XFRC_APPLIED
    | STATE_EQ_ACTIVE
    | STATE_MOCAP_POS
    | STATE_MOCAP_QUAT
    | STATE_USERDATA
)
STATE_INTEGRATION = STATE_FULLPHYSICS | STATE_WARMSTART | STATE_USER
STATE_TRACE = STATE_INTEGRATION | STATE_PERTURB
STATE_RECORD = STATE_TRACE | STATE_NOISE

# d.perturb.active
PERT_TRANSLATE = 1 << 0
PERT_ROTATE = 1 << 1

# rows of d.warning
WARN_INERTIA = 0
WARN_CONTACTFULL = 1
WARN_CNSTRFULL = 2
WARN_BADQPOS = 3
WARN_BADQVEL = 4
WARN_BADQACC = 5
WARN_BADCTRL = 6
NWARNING = 7

# capacity of solver statistics
NISLAND = 20  # islands
NSOLVER = 200  # iterations per island

MINVAL = 1e-15  # smallest allowed divisor
MAXVAL = 1e10  # largest allowed value of qpos, qvel, qacc and ctrl
MINMU = 1e-5  # smallest friction coefficient of a contact

# object types
OBJ_UNKNOWN = 0
OBJ_BODY = 1
OBJ_XBODY = 2
OBJ_JOINT = 3
OBJ_DOF = 4
OBJ_GEOM = 5
OBJ_SITE = 6
OBJ_CAMERA = 7
OBJ_LIGHT = 8
OBJ_FLEX = 9
OBJ_MESH = 10
OBJ_SKIN = 11
OBJ_HFIELD = 12
OBJ_TEXTURE = 13
OBJ_MATERIAL = 14
OBJ_PAIR = 15
OBJ_EXCLUDE = 16
OBJ_EQUALITY = 17
OBJ_TENDON = 18
OBJ_ACTUATOR = 19
OBJ_SENSOR = 20
OBJ_NUMERIC = 21
OBJ_TEXT = 22
OBJ_TUPLE = 23
OBJ_KEY = 24
OBJ_PLUGIN = 25

# m.eq_type
EQ_CONNECT = 0
EQ_WELD = 1
EQ_JOINT = 2
EQ_TENDON = 3
EQ_FLEX = 4
EQ_FLEXVERT = 5
EQ_FLEXSTRAIN = 6
EQ_DISTANCE = 7

# m.wrap_type: elements of a tendon's path
WRAP_NONE = 0
WRAP_JOINT = 1
WRAP_PULLEY = 2
WRAP_SITE = 3
WRAP_SPHERE = 4
WRAP_CYLINDER = 5

# m.actuator_trntype: transmissions
TRN_JOINT = 0
TRN_JOINTINPARENT = 1
TRN_SLIDERCRANK = 2
TRN_TENDON = 3
TRN_SITE = 4
TRN_BODY = 5
TRN_SO3 = 6
TRN_UNDEFINED = 1000

# m.actuator_dyntype, m.actuator_gaintype, m.actuator_biastype
DYN_NONE = 0
DYN_INTEGRATOR = 1
DYN_FILTER = 2
DYN_FILTEREXACT = 3
DYN_MUSCLE = 4
DYN_DCMOTOR = 5
DYN_PID = 6
DYN_USER = 7
GAIN_FIXED = 0
GAIN_AFFINE = 1
GAIN_MUSCLE = 2
GAIN_DCMOTOR = 3
GAIN_SO3 = 4
GAIN_PID = 5
GAIN_USER = 6
BIAS_NONE = 0
BIAS_AFFINE = 1
BIAS_MUSCLE = 2
BIAS_DCMOTOR = 3
BIAS_SO3 = 4
BIAS_USER = 5

# compiler: which actuators get a computed length range
LRMODE_NONE = 0
LRMODE_MUSCLE = 1
LRMODE_MUSCLEUSER = 2
LRMODE_ALL = 3

# m.actuator_ctrlspec: bits of inputs, or the chart of an orientation
INPUT_POS = 1 << 0
INPUT_VEL = 1 << 1
INPUT_FF = 1 << 2
INPUT_VOLTAGE = 1 << 3
INPUT_NONE = 1 << 4
INPUT_PRESSURE = 1 << 5
CHART_EXPMAP = 1
CHART_QUAT = 2

# m.sensor_type
SENS_TOUCH = 0
SENS_ACCELEROMETER = 1
SENS_VELOCIMETER = 2
SENS_GYRO = 3
SENS_FORCE = 4
SENS_TORQUE = 5
SENS_MAGNETOMETER = 6
SENS_RANGEFINDER = 7
SENS_CAMPROJECTION = 8
SENS_JOINTPOS = 9
SENS_JOINTVEL = 10
SENS_TENDONPOS = 11
SENS_TENDONVEL = 12
SENS_ACTUATORPOS = 13
SENS_ACTUATORVEL = 14
SENS_ACTUATORFRC = 15
SENS_JOINTACTFRC = 16
SENS_TENDONACTFRC = 17
SENS_BALLQUAT = 18
SENS_BALLANGVEL = 19
SENS_JOINTLIMITPOS = 20
SENS_JOINTLIMITVEL = 21
SENS_JOINTLIMITFRC = 22
SENS_TENDONLIMITPOS = 23
SENS_TENDONLIMITVEL = 24
SENS_TENDONLIMITFRC = 25
SENS_FRAMEPOS = 26
SENS_FRAMEQUAT = 27
SENS_FRAMEXAXIS = 28
SENS_FRAMEYAXIS = 29
SENS_FRAMEZAXIS = 30
SENS_FRAMELINVEL = 31
SENS_FRAMEANGVEL = 32
SENS_FRAMELINACC = 33
SENS_FRAMEANGACC = 34
SENS_SUBTREECOM = 35
SENS_SUBTREELINVEL = 36
SENS_SUBTREEANGMOM = 37
SENS_INSIDESITE = 38
SENS_GEOMDIST = 39
SENS_GEOMNORMAL = 40
SENS_GEOMFROMTO = 41
SENS_CONTACT = 42
SENS_E_POTENTIAL = 43
SENS_E_KINETIC = 44
SENS_CLOCK = 45
SENS_TACTILE = 46
SENS_PLUGIN = 47
SENS_USER = 48

# m.sensor_needstage, m.sensor_datatype
STAGE_NONE = 0
STAGE_POS = 1
STAGE_VEL = 2
STAGE_ACC = 3
DATATYPE_REAL = 0
DATATYPE_POSITIVE = 1
DATATYPE_AXIS = 2
DATATYPE_QUATERNION = 3

# m.tree_sleep_policy
SLEEP_AUTO = 0
SLEEP_AUTO_NEVER = 1
SLEEP_AUTO_ALLOWED = 2
SLEEP_NEVER = 3
SLEEP_ALLOWED = 4
SLEEP_INIT = 5

# d.body_awake; and the number of slow steps before a tree is ready to sleep
STATIC = -1
ASLEEP = 0
AWAKE = 1
MINAWAKE = 10

# d.tree_wakecause: what woke a tree, and the id that goes with it (not in MuJoCo)
WAKE_NONE = 0  # it has not slept since the reset
WAKE_QPOS = 1  # the user changed qpos: its index
WAKE_QVEL = 2  # the user changed qvel: dof
WAKE_QFRC = 3  # qfrc_applied: dof
WAKE_XFRC = 4  # xfrc_applied or a mouse perturbation: body
WAKE_MOCAP = 5  # the user moved its mocap parent: mocap body
WAKE_CONTACT = 6  # contact with an awake body: the other geom
WAKE_EQUALITY = 7  # equality constraint: equality
WAKE_TENDON = 8  # tendon at its limit: tendon
WAKE_CALL = 9  # a call of sim.wake
WAKE_FLAG = 10  # sleeping was disabled
WAKE_POLICY = 11  # its sleep policy was changed

# d.tree_restless: why a tree is not asleep, and the id that goes with it (not in MuJoCo)
AWAKE_ASLEEP = 0  # it is asleep
AWAKE_POLICY = 1  # its sleep policy
AWAKE_XFRC = 2  # xfrc_applied or a mouse perturbation: body
AWAKE_QFRC = 3  # qfrc_applied: dof
AWAKE_MOVING = 4  # too fast: dof
AWAKE_WAITING = 5  # counting down: remaining steps
AWAKE_ISLAND = 6  # another tree of its island is not ready: tree
AWAKE_OFF = 7  # sleeping is disabled: by the flag, by RK4, or because there are constraints but no islands
