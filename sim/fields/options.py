"""Fields of m.opt, m.stat and m.vis: options, statistics and looks. The columns are explained in the package."""

OPTIONS_TEXT = """
@ mjcf
# options
opt.timestep           f8 -            s      length of a step = 0.002
opt.impratio           f8 -            -      how much harder friction is than the normal force of contacts = 1
opt.tolerance          f8 -            -      the solver stops below this improvement = 1e-8
opt.ls_tolerance       f8 -            -      the line search stops below this slope = 0.01
opt.noslip_tolerance   f8 -            -      noslip stops below this improvement = 1e-6
opt.ccd_tolerance      f8 -            -      convex collision stops at this accuracy = 1e-6
opt.sleep_tolerance    f8 -            m/s    a tree slower than this may sleep = 0.001
opt.gravity            f8 3            m/s²   gravity = 0 0 -9.81
opt.wind               f8 3            m/s    velocity of the medium
opt.magnetic           f8 3            -      magnetic flux = 0 -0.5 0
opt.density            f8 -            kg/m³  density of the medium
opt.viscosity          f8 -            Pa·s   viscosity of the medium
opt.o_margin           f8 -            m      margin of overridden contacts
opt.o_solref           f8 2            -      spring and damper of overridden contacts = 0.02 1
opt.o_solimp           f8 5            -      hardness of overridden contacts = 0.9 0.95 0.001 0.5 2
opt.o_friction         f8 5            -      friction of overridden contacts = 1 1 0.005 0.0001 0.0001
opt.integrator         i8 -            -      Euler, RK4, implicit, implicitfast, implicit spring-damper
opt.cone               i8 -            -      friction cones: pyramidal or elliptic
opt.jacobian           i8 -            -      dense, sparse or automatic = 2
opt.solver             i8 -            -      PGS, CG or Newton = 2
opt.iterations         i8 -            -      most iterations of the solver = 100
opt.ls_iterations      i8 -            -      most iterations of its line search = 50
opt.noslip_iterations  i8 -            -      most iterations of noslip, which undoes slip after the solver
opt.ccd_iterations     i8 -            -      most iterations of convex collision = 35
opt.disableflags       i8 -            -      bits of what is switched off
opt.enableflags        i8 -            -      bits of what is switched on
opt.disableactuator    i8 -            -      bits of actuator groups that are switched off
opt.sdf_initpoints     i8 -            -      starting points for signed distance fields = 40
opt.sdf_iterations     i8 -            -      most iterations for signed distance fields = 10

# statistics
stat.meaninertia       f8 -            -      mean diagonal of the inertia matrix = 1
stat.meanmass          f8 -            kg     mean mass of the moving bodies = 1
stat.meansize          f8 -            m      mean size of the bodies = 1
stat.extent            f8 -            m      radius of the scene = 1
stat.center            f8 3            m      middle of the scene

# visual settings
vis.global_.cameraid          i8 -     -      camera the view starts with; -1: free = -1
vis.global_.orthographic      i8 -     -      free camera without perspective
vis.global_.fovy              f4 -     deg    vertical field of view of the free camera = 45
vis.global_.ipd               f4 -     m      distance between the eyes = 0.068
vis.global_.azimuth           f4 -     deg    starting azimuth of the free camera = 90
vis.global_.elevation         f4 -     deg    starting elevation of the free camera = -45
vis.global_.linewidth         f4 -     -      width of wireframe lines = 1
vis.global_.glow              f4 -     -      glow of the selection = 0.3
vis.global_.realtime          f4 -     -      starting speed, 1: real time = 1
vis.global_.offwidth          i8 -     px     width of off-screen pictures = 640
vis.global_.offheight         i8 -     px     height of off-screen pictures = 480
vis.global_.ellipsoidinertia  i8 -     -      draw inertias as ellipsoids instead of boxes
vis.global_.bvactive          i8 -     -      colour the bounding volumes that were hit
vis.quality.shadowsize        i8 -     px     edge of the shadow map = 4096
vis.quality.offsamples        i8 -     -      samples a pixel off screen = 4
vis.quality.numslices         i8 -     -      facets around round geoms = 28
vis.quality.numstacks         i8 -     -      facets along round geoms = 16
vis.quality.numquads          i8 -     -      facets of boxes = 4
vis.headlight.ambient         f4 3     -      ambient light of the headlight = 0.1 0.1 0.1
vis.headlight.diffuse         f4 3     -      diffuse light of the headlight = 0.4 0.4 0.4
vis.headlight.specular        f4 3     -      specular light of the headlight = 0.5 0.5 0.5
vis.headlight.active          i8 -     -      the headlight shines = 1
vis.map.stiffness             f4 -     -      stiffness of a pull by the mouse = 100
vis.map.stiffnessrot          f4 -     -      stiffness of a turn by the mouse = 500
vis.map.force                 f4 -     m/N    length of a drawn force = 0.005
vis.map.torque                f4 -     1/N    length of a drawn torque = 0.1
vis.map.alpha                 f4 -     -      opacity of what is made transparent = 0.3
vis.map.fogstart              f4 -     -      fog begins, in extents = 3
vis.map.fogend                f4 -     -      fog is complete, in extents = 10
vis.map.znear                 f4 -     -      near plane, in extents = 0.01
vis.map.zfar                  f4 -     -      far plane, in extents = 50
vis.map.haze                  f4 -     -      share of the horizon that is haze = 0.3
vis.map.shadowclip            f4 -     -      reach of directional shadows, in extents = 1
vis.map.shadowscale           f4 -     -      cone of spot shadows, of the cutoff = 0.6
vis.map.actuatortendon        f4 -     -      width of actuator tendons, of the tendon's = 2
vis.scale.forcewidth          f4 -     -      width of force arrows = 0.1
vis.scale.contactwidth        f4 -     -      width of contact discs = 0.3
vis.scale.contactheight       f4 -     -      height of contact discs = 0.1
vis.scale.connect             f4 -     -      width of body connections = 0.2
vis.scale.com                 f4 -     -      radius of centres of mass = 0.4
vis.scale.camera              f4 -     -      size of cameras = 0.3
vis.scale.light               f4 -     -      size of lights = 0.3
vis.scale.selectpoint         f4 -     -      size of the selected point = 0.2
vis.scale.jointlength         f4 -     -      length of joint axes = 1
vis.scale.jointwidth          f4 -     -      width of joint axes = 0.1
vis.scale.actuatorlength      f4 -     -      length of actuators = 0.7
vis.scale.actuatorwidth       f4 -     -      width of actuators = 0.2
vis.scale.framelength         f4 -     -      length of frame axes = 1
vis.scale.framewidth          f4 -     -      width of frame axes = 0.1
vis.scale.constraint          f4 -     -      width of constraints = 0.1
vis.scale.slidercrank         f4 -     -      width of slider-cranks = 0.2
vis.scale.frustum             f4 -     -      far plane of drawn frustums = 10
vis.rgba.fog                  f4 4     -      fog = 0 0 0 1
vis.rgba.haze                 f4 4     -      haze = 1 1 1 1
vis.rgba.force                f4 4     -      external force = 1 0.5 0.5 1
vis.rgba.inertia              f4 4     -      inertia = 0.8 0.2 0.2 0.6
vis.rgba.joint                f4 4     -      joint = 0.2 0.6 0.8 1
vis.rgba.actuator             f4 4     -      actuator at rest = 0.2 0.25 0.2 1
vis.rgba.actuatornegative     f4 4     -      actuator, negative = 0.2 0.6 0.9 1
vis.rgba.actuatorpositive     f4 4     -      actuator, positive = 0.9 0.4 0.2 1
vis.rgba.com                  f4 4     -      centre of mass = 0.9 0.9 0.9 1
vis.rgba.camera               f4 4     -      camera = 0.6 0.9 0.6 1
vis.rgba.light                f4 4     -      light = 0.6 0.6 0.9 1
vis.rgba.selectpoint          f4 4     -      selected point = 0.9 0.9 0.1 1
vis.rgba.connect              f4 4     -      body connection = 0.2 0.2 0.8 1
vis.rgba.contactpoint         f4 4     -      contact = 0.9 0.6 0.2 1
vis.rgba.contactforce         f4 4     -      contact force = 0.7 0.9 0.9 1
vis.rgba.contactfriction      f4 4     -      friction force = 0.9 0.8 0.4 1
vis.rgba.contacttorque        f4 4     -      contact torque = 0.9 0.7 0.9 1
vis.rgba.contactgap           f4 4     -      contact within its gap = 0.5 0.8 0.9 1
vis.rgba.rangefinder          f4 4     -      rangefinder ray = 1 1 0.1 1
vis.rgba.constraint           f4 4     -      constraint = 0.9 0 0 1
vis.rgba.slidercrank          f4 4     -      slider-crank = 0.5 0.3 0.8 1
vis.rgba.crankbroken          f4 4     -      slider-crank that cannot reach = 0.9 0 0 1
vis.rgba.frustum              f4 4     -      camera frustum = 1 1 0 0.2
vis.rgba.bv                   f4 4     -      bounding volume = 0 1 0 0.5
vis.rgba.bvactive             f4 4     -      bounding volume that was hit = 1 0 0 0.5
"""
