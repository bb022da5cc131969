"""Attributes of actuators and their shortcuts."""

ALL = "general motor position velocity intvelocity orientation pid damper cylinder muscle adhesion dcmotor"
ACTUATOR_TAGS = tuple(ALL.split())
IN_DEFAULTS = " ".join(f"{tag}+" for tag in ACTUATOR_TAGS)

ACTUATORS_TEXT = f"""
# actuator: general+
actdim         int           -1           actuator_actnum i4
    number of activation states
dyntype        enum:dyn      none         actuator_dyntype i4
    activation dynamics type
gaintype       enum:gain     fixed        actuator_gaintype i4
    gain type
biastype       enum:bias     none         actuator_biastype i4
    bias type
gainprm        real[1-10]    1 0 0        actuator_gainprm f8         -  gainprm
    parameters of the gain: force per unit of control or activation
    > The first number is the gain of a motor and the kp of a servo. Higher: the same control acts with more force.
biasprm        real[1-10]    0 0 0        actuator_biasprm f8         -  biasprm
    parameters of the bias: force without control
    > The force is the first number, plus the second times length, plus the third times velocity; a servo has 0 -kp
      -kv. More negative: it holds harder and damps more.
dynprm         real[1-10]    1 0 0        actuator_dynprm f8          -  dynprm
    parameters of the dynamics: from control to activation
    > The first number is the time constant of a filter, in s. Higher: force lags further behind control.
actearly       bool          false        actuator_actearly b1
    force is computed from the next activation

# actuator: general+ motor+ position+ velocity+ intvelocity+ pid+ damper+ cylinder+ muscle+ dcmotor+
gear           real[1-6]     1 0 0 0 0 0  actuator_gear f8 nout,6     -  gear *
    gear: scales length and force of the transmission
    > Higher: the same actuator force drives the joint harder, and the actuator moves farther for the same
      motion.
damping        real[1-3]     0            actuator_damping+poly f8
    damping added to the joint or tendon
armature       real          0            actuator_armature f8
    armature added to the joint or tendon
cranklength    real          0            actuator_cranklength f8     m  0.01 >0 *
    length of the connecting rod of a slider-crank
    > Higher: the rod from crank to slider is longer.

# actuator: {IN_DEFAULTS}
group          int           0            actuator_group i4
    group, for visualization and disabling
nsample        int           0
interp         enum:interp   zoh
delay          real          0            actuator_delay f8           s  0.001 >=0
    delay of the control
    > Higher: it responds later; its buffer must be long enough.
user           real[]        ()           actuator_user f8 nactuator,nuser_actuator
    user data

# actuator: general+ motor+ position+ velocity+ intvelocity+ pid+ cylinder+ muscle+ dcmotor+
ctrllimited    enum:limited  auto         actuator_ctrllimited b1 nu  -  switch
    control is limited

# actuator: {IN_DEFAULTS}
ctrlrange      real[2]       0 0          actuator_ctrlrange f8 nu,2  -  0.01 any [lower, upper]
    lower and upper limit of the control
    > A wider range allows larger controls, in the unit of the control; it is ignored without ctrllimited.

# actuator: general+ motor+ position+ velocity+ intvelocity+ orientation+ pid+ damper+ cylinder+ muscle+ adhesion+
forcelimited   enum:limited  auto         actuator_forcelimited b1    -  switch
    force is limited
forcerange     real[2]       0 0          actuator_forcerange f8      F  0.1 any [lower, upper]
    lower and upper limit of the force
    > A wider range lets the actuator push and pull harder; it is ignored without forcelimited.

# actuator: general+ intvelocity+
actlimited     enum:limited  auto         actuator_actlimited b1      -  switch
    activation is limited
actrange       real[2]       0 0          actuator_actrange f8        -  0.01 any [lower, upper]
    lower and upper limit of the activation
    > A wider range lets the activation go further; it is ignored without actlimited.

# actuator: general+ orientation+ pid+ dcmotor+
input          str

# actuator: general+ pid+
velrange       real[2]       0 0
ffrange        real[2]       0 0

# actuator: general motor position velocity intvelocity pid damper cylinder muscle dcmotor
lengthrange    real[2]       0 0          actuator_lengthrange f8 nout,2
    shortest and longest feasible length
jointinparent  str
tendon         str
slidersite     str           ""
cranksite      str

# actuator: general motor position velocity intvelocity orientation pid damper cylinder muscle dcmotor
joint          str

# actuator: general motor position velocity intvelocity orientation pid damper cylinder dcmotor
site           str
refsite        str           ""

# actuator: general adhesion
body           str

# actuator: position+ intvelocity+ orientation+ pid+
kp             real
dampratio      real

# actuator: position+ velocity+ intvelocity+ orientation+ pid+ damper+
kv             real

# actuator: general+ position+ intvelocity+ pid+
inheritrange   real          0

# actuator: position+ cylinder+
timeconst      real

# actuator: pid+
posrange       real[2]
ki             real
imax           real
slewmax        real

# actuator: cylinder+
area           real
diameter       real
bias           real[3]

# actuator: muscle+
timeconst      real[2]
range          real[2]
force          real
scale          real
lmin           real
lmax           real
vmax           real
fpmax          real
fvmax          real

# actuator: muscle
tausmooth      real

# actuator: adhesion+
gain           real

# actuator: dcmotor+
motorconst     real[1-2]
resistance     real
nominal        real[1-3]
saturation     real[1-3]
inductance     real[1-2]
cogging        real[1-3]
controller     real[1-6]
thermal        real[1-6]
lugre          real[1-5]
"""
