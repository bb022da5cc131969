"""Attributes of <mujoco>, <compiler>, <option>, <flag>, <size> and <default>."""

SETTINGS_TEXT = """
# mujoco
model                 str

# compiler
autolimits            bool             true
boundmass             real             0
boundinertia          real             0
settotalmass          real             -1
balanceinertia        bool             false
strippath             bool             false
coordinate            enum:coordinate
angle                 enum:angle       degree
fitaabb               bool             false
eulerseq              str              xyz
meshdir               str              ""
texturedir            str              ""
discardvisual         bool             false
usethread             bool
fusestatic            bool             false
inertiafromgeom       enum:limited     auto
inertiagrouprange     int[2]           0 5
saveinertial          bool
savecompiled          bool
savecanonical         bool
assetdir              str
alignfree             bool             false
conflict              enum:conflict
passthrough           enum:passthrough

# lengthrange
mode                  enum:lrmode      muscle
useexisting           bool             true
uselimit              bool             false
accel                 real             20
maxforce              real             0
timeconst             real             1
timestep              real             0.01
inttotal              real             10
interval              real             2
tolrange              real             0.05

# option
## Time
timestep              real             0.002                    opt.timestep f8           s      1e-4 >0
    simulation timestep
    > Higher: a simulated second takes fewer steps and less work, but motion gets less accurate and finally unstable.
integrator            enum:integrator  Euler                    opt.integrator i8         -      enum
    integrator: Euler, RK4, implicit, implicitfast, discrete, implicit spring-damper
    > Euler is the cheapest; implicitfast stays stable with strong damping, implicit with fast spins,
      implicitspringdamper with stiff springs, discrete with stiff springs, servos and contacts alike; RK4 is the most
      accurate without contacts, at four times the work.
## Solver
solver                enum:solver      Newton                   opt.solver i8             -      enum
    constraint solver: PGS, CG or Newton
    > Newton takes the fewest iterations; CG does less work in each, for models with very many joints; PGS solves
      constraint by constraint and often stops far from the solution.
cone                  enum:cone        pyramidal                opt.cone i8               -      enum
    friction cone: pyramidal or elliptic
    > elliptic friction is equal in all directions; pyramidal is a cheaper approximation.
jacobian              enum:jacobian    auto                     opt.jacobian i8           -      enum
    constraint Jacobian: dense, sparse or automatic
impratio              real             1                        opt.impratio f8           -      0.1 >0
    ratio of friction impedance to normal impedance of contacts
    > Higher: contacts that should stick creep less, best with elliptic cones; the solver has more work.
iterations            int              100                      opt.iterations i8         -      count >=0
    maximum number of solver iterations
    > Higher: the solver may work longer on a hard step, so forces get more accurate and steps slower.
tolerance             real             1e-08                    opt.tolerance f8          -      1e-9 >=0
    solver: stop when the scaled improvement falls below this
    > Higher: the solver stops earlier: faster steps, less accurate forces.
ls_iterations         int              50                       opt.ls_iterations i8      -      count >=0
    maximum number of line search iterations
ls_tolerance          real             0.01                     opt.ls_tolerance f8       -      1e-3 >=0
    line search: stop when the scaled slope falls below this
noslip_iterations     int              0                        opt.noslip_iterations i8  -      count >=0
    maximum number of noslip iterations, which reduce slip after the solver
    > Above 0, contacts that should stick stop creeping, at some cost per iteration.
noslip_tolerance      real             1e-06                    opt.noslip_tolerance f8   -      1e-7 >=0
    noslip: stop when the scaled improvement falls below this
    > Higher: noslip stops earlier: faster steps, a little more creeping.
ccd_iterations        int              35                       opt.ccd_iterations i8     -      count >=0
    maximum number of convex collision iterations
ccd_tolerance         real             1e-06                    opt.ccd_tolerance f8      -      1e-7 >=0
    convex collision: stop at this accuracy
## World
gravity               real[3]          0 0 -9.81                opt.gravity f8            m/s²   0.1 any [x, y, z]
    gravitational acceleration
wind                  real[3]          0 0 0                    opt.wind f8               m/s    0.1 any [x, y, z]
    velocity of the fluid
magnetic              real[3]          0 -0.5 0                 opt.magnetic f8           -      0.01 any [x, y, z]
    magnetic flux
density               real             0                        opt.density f8            kg/m³  0.1 >=0
    density of the fluid
    > Higher: drag grows with the square of the velocity; air has 1.2, water 1000.
viscosity             real             0                        opt.viscosity f8          Pa·s   1e-4 >=0
    viscosity of the fluid
    > Higher: drag grows in proportion to the velocity; air has 0.00002, water 0.001.
## Sleep
sleep_tolerance       real             0.001                    opt.sleep_tolerance f8    m/s    1e-4 >=0
    velocity below which a tree may fall asleep
## Contact override
o_margin              real             0                        opt.o_margin f8           m      1e-4 any
    margin of overridden contacts
    > as geom/margin
o_solref              real[1-2]        0.02 1                   opt.o_solref f8           -      solref
    reference spring-damper of overridden contacts
    > as geom/solref
o_solimp              real[1-5]        0.9 0.95 0.001 0.5 2     opt.o_solimp f8           -      solimp
    impedance of overridden contacts
    > as geom/solimp
o_friction            real[1-5]        1 1 0.005 0.0001 0.0001  opt.o_friction f8         -      friction5
    friction coefficients of overridden contacts
    > as geom/friction
sdf_initpoints        int              40                       opt.sdf_initpoints i8
    starting points for signed distance fields
sdf_iterations        int              10                       opt.sdf_iterations i8
    maximum number of iterations for signed distance fields
actuatorgroupdisable  int[]

# option/flag: flag
constraint            enum:switch      enable                   opt.disableflags bit 0
    all constraints
equality              enum:switch      enable                   opt.disableflags bit 1
    equality constraints
frictionloss          enum:switch      enable                   opt.disableflags bit 2
    dry friction of joints
limit                 enum:switch      enable                   opt.disableflags bit 3
    limits of joints and tendons
contact               enum:switch      enable                   opt.disableflags bit 4
    contacts
spring                enum:switch      enable                   opt.disableflags bit 5
    springs of joints and tendons
damper                enum:switch      enable                   opt.disableflags bit 6
    dampers of joints and tendons
gravity               enum:switch      enable                   opt.disableflags bit 7
    gravity
clampctrl             enum:switch      enable                   opt.disableflags bit 8
    controls are clamped to their ranges
warmstart             enum:switch      enable                   opt.disableflags bit 9
    the solver starts from the last solution
filterparent          enum:switch      enable                   opt.disableflags bit 10
    a body does not collide with its parent
actuation             enum:switch      enable                   opt.disableflags bit 11
    actuators
refsafe               enum:switch      enable                   opt.disableflags bit 12
    the time constant in solref is at least two timesteps
sensor                enum:switch      enable                   opt.disableflags bit 13
    sensors
midphase              enum:switch      enable                   opt.disableflags bit 14
    bounding volume hierarchies for bodies with many geoms
eulerdamp             enum:switch      enable                   opt.disableflags bit 15
    Euler treats damping implicitly
autoreset             enum:switch      enable                   opt.disableflags bit 16
    a simulation that diverges is reset
nativeccd             enum:switch      enable                   opt.disableflags bit 17
    native convex collision detection
island                enum:switch      enable                   opt.disableflags bit 18
    islands are solved independently
multiccd              enum:switch      enable                   opt.disableflags bit 19
    several contacts for each pair of convex geoms
override              enum:switch      disable                  opt.enableflags bit 0
    all contacts take o_margin, o_solref, o_solimp and o_friction
energy                enum:switch      disable                  opt.enableflags bit 1
    energy is computed
fwdinv                enum:switch      disable                  opt.enableflags bit 2
    forward and inverse dynamics are compared
invdiscrete           enum:switch      disable                  opt.enableflags bit 3
    inverse dynamics in discrete time
sleep                 enum:switch      disable                  opt.enableflags bit 4
    trees at rest fall asleep
diagexact             enum:switch      disable                  opt.enableflags bit 5
    exact diagonal of the constraint-space inertia
ipc                   enum:switch      disable
speculative           enum:switch      disable                  opt.enableflags bit 7
    contacts of fast geoms before they meet, so that they do not pass through each other

# size
memory                str              -1
njmax                 int              -1
nconmax               int              -1
nstack                int              -1
nuserdata             int              0
nkey                  int              0
nuser_body            int              -1
nuser_jnt             int              -1
nuser_geom            int              -1
nuser_site            int              -1
nuser_cam             int              -1
nuser_tendon          int              -1
nuser_actuator        int              -1
nuser_sensor          int              -1

# default
class                 str
"""
