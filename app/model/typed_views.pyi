"""Types of the fields of a snapshot's ModelView and StateView; written by `python -m tests.typed_fields`."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

class ModelViewOpt:
    timestep: Final[float]
    """simulation timestep [s]"""
    gravity: Final[NDArray[np.float64]]
    """gravitational acceleration [m/s²], shape (3)"""
    cone: Final[int]
    """friction cone: pyramidal or elliptic"""
    integrator: Final[int]
    """integrator: Euler, RK4, implicit, implicitfast, discrete, implicit spring-damper"""
    solver: Final[int]
    """constraint solver: PGS, CG or Newton"""
    jacobian: Final[int]
    """constraint Jacobian: dense, sparse or automatic"""
    impratio: Final[float]
    """ratio of friction impedance to normal impedance of contacts"""
    iterations: Final[int]
    """maximum number of solver iterations"""
    tolerance: Final[float]
    """solver: stop when the scaled improvement falls below this"""
    ls_iterations: Final[int]
    """maximum number of line search iterations"""
    ls_tolerance: Final[float]
    """line search: stop when the scaled slope falls below this"""
    noslip_iterations: Final[int]
    """maximum number of noslip iterations, which reduce slip after the solver"""
    noslip_tolerance: Final[float]
    """noslip: stop when the scaled improvement falls below this"""
    ccd_iterations: Final[int]
    """maximum number of convex collision iterations"""
    ccd_tolerance: Final[float]
    """convex collision: stop at this accuracy"""
    wind: Final[NDArray[np.float64]]
    """velocity of the fluid [m/s], shape (3)"""
    magnetic: Final[NDArray[np.float64]]
    """magnetic flux, shape (3)"""
    density: Final[float]
    """density of the fluid [kg/m³]"""
    viscosity: Final[float]
    """viscosity of the fluid [Pa·s]"""
    sleep_tolerance: Final[float]
    """velocity below which a tree may fall asleep [m/s]"""
    o_margin: Final[float]
    """margin of overridden contacts [m]"""
    o_solref: Final[NDArray[np.float64]]
    """reference spring-damper of overridden contacts, shape (2)"""
    o_solimp: Final[NDArray[np.float64]]
    """impedance of overridden contacts, shape (5)"""
    o_friction: Final[NDArray[np.float64]]
    """friction coefficients of overridden contacts, shape (5)"""
    disableflags: Final[int]
    """bit flags of disabled features"""
    enableflags: Final[int]
    """bit flags of enabled optional features"""
    disableactuator: Final[int]
    """bit flags of disabled actuator groups"""

class ModelViewStat:
    center: Final[NDArray[np.float64]]
    """centre of the model [m], shape (3)"""
    extent: Final[float]
    """radius of the model [m]"""
    meansize: Final[float]
    """mean size of the bodies [m]"""
    meanmass: Final[float]
    """mean mass of the moving bodies [kg]"""

class ModelViewVis:
    global_: Final[ModelViewVisGlobal]
    headlight: Final[ModelViewVisHeadlight]
    map: Final[ModelViewVisMap]
    quality: Final[ModelViewVisQuality]
    scale: Final[ModelViewVisScale]
    rgba: Final[ModelViewVisRgba]

class ModelViewVisGlobal:
    azimuth: Final[float]
    """initial azimuth of the free camera [deg]"""
    elevation: Final[float]
    """initial elevation of the free camera [deg]"""
    fovy: Final[float]
    """vertical field of view of the free camera [deg]"""
    cameraid: Final[int]
    """initial camera; -1: free"""
    glow: Final[float]
    """glow of the selected body"""
    ellipsoidinertia: Final[int]
    """draw inertias as ellipsoids instead of boxes"""
    orthographic: Final[int]
    """orthographic projection of the free camera"""
    realtime: Final[float]
    """initial speed; 1: real time"""

class ModelViewVisHeadlight:
    active: Final[int]
    """whether the headlight is on; auto: it is"""
    ambient: Final[NDArray[np.float32]]
    """ambient colour of the headlight, shape (3)"""
    diffuse: Final[NDArray[np.float32]]
    """diffuse colour of the headlight, shape (3)"""
    specular: Final[NDArray[np.float32]]
    """specular colour of the headlight, shape (3)"""

class ModelViewVisMap:
    znear: Final[float]
    """near clipping plane, in extents"""
    zfar: Final[float]
    """far clipping plane, in extents"""
    haze: Final[float]
    """fraction of the horizon covered by haze"""
    force: Final[float]
    """length of a force arrow per newton [m/N]"""
    alpha: Final[float]
    """opacity of transparent bodies"""
    fogstart: Final[float]
    """distance at which fog starts, in extents"""
    fogend: Final[float]
    """distance at which fog is complete, in extents"""
    actuatortendon: Final[float]
    """width of actuator tendons, relative to the tendon"""
    stiffness: Final[float]
    """stiffness of a mouse perturbation in translation"""
    stiffnessrot: Final[float]
    """stiffness of a mouse perturbation in rotation"""

class ModelViewVisQuality:
    shadowsize: Final[int]
    """side length of the shadow map [px]"""

class ModelViewVisScale:
    contactwidth: Final[float]
    """width of contact markers"""
    contactheight: Final[float]
    """height of contact markers"""
    forcewidth: Final[float]
    """width of force arrows"""
    selectpoint: Final[float]
    """size of the selection point"""
    connect: Final[float]
    """width of lines between bodies and joints"""
    com: Final[float]
    """radius of centre-of-mass markers"""
    camera: Final[float]
    """size of camera markers"""
    light: Final[float]
    """size of light markers"""
    jointlength: Final[float]
    """length of joint axes"""
    jointwidth: Final[float]
    """width of joint axes"""
    actuatorlength: Final[float]
    """length of actuator markers"""
    actuatorwidth: Final[float]
    """width of actuator markers"""
    framelength: Final[float]
    """length of frame axes"""
    framewidth: Final[float]
    """width of frame axes"""
    constraint: Final[float]
    """width of constraint lines"""
    slidercrank: Final[float]
    """width of slider-cranks"""
    frustum: Final[float]
    """distance of the far plane of drawn frustums"""

class ModelViewVisRgba:
    haze: Final[NDArray[np.float32]]
    """haze, shape (4)"""
    fog: Final[NDArray[np.float32]]
    """fog, shape (4)"""
    contactpoint: Final[NDArray[np.float32]]
    """contact point, shape (4)"""
    contactgap: Final[NDArray[np.float32]]
    """contact in its gap, shape (4)"""
    contactforce: Final[NDArray[np.float32]]
    """contact force, shape (4)"""
    contactfriction: Final[NDArray[np.float32]]
    """friction force, shape (4)"""
    selectpoint: Final[NDArray[np.float32]]
    """selection point, shape (4)"""
    force: Final[NDArray[np.float32]]
    """external force, shape (4)"""
    inertia: Final[NDArray[np.float32]]
    """inertia, shape (4)"""
    joint: Final[NDArray[np.float32]]
    """joint, shape (4)"""
    actuator: Final[NDArray[np.float32]]
    """actuator, neutral, shape (4)"""
    actuatornegative: Final[NDArray[np.float32]]
    """actuator at its negative limit, shape (4)"""
    actuatorpositive: Final[NDArray[np.float32]]
    """actuator at its positive limit, shape (4)"""
    com: Final[NDArray[np.float32]]
    """centre of mass, shape (4)"""
    camera: Final[NDArray[np.float32]]
    """camera, shape (4)"""
    light: Final[NDArray[np.float32]]
    """light, shape (4)"""
    connect: Final[NDArray[np.float32]]
    """line between body and joint, shape (4)"""
    rangefinder: Final[NDArray[np.float32]]
    """rangefinder ray, shape (4)"""
    constraint: Final[NDArray[np.float32]]
    """constraint, shape (4)"""
    slidercrank: Final[NDArray[np.float32]]
    """slider-crank, shape (4)"""
    crankbroken: Final[NDArray[np.float32]]
    """slider-crank whose rod is too short, shape (4)"""
    frustum: Final[NDArray[np.float32]]
    """camera frustum, shape (4)"""
    bv: Final[NDArray[np.float32]]
    """bounding volume, shape (4)"""

class ModelViewFields:
    nq: Final[int]
    """generalized coordinates, length of qpos"""
    nv: Final[int]
    """degrees of freedom, length of qvel"""
    nbody: Final[int]
    """bodies, including the world"""
    njnt: Final[int]
    """joints"""
    ngeom: Final[int]
    """geoms"""
    nsite: Final[int]
    """sites"""
    ncam: Final[int]
    """cameras"""
    nlight: Final[int]
    """lights"""
    ntex: Final[int]
    """textures"""
    nmat: Final[int]
    """materials"""
    nkey: Final[int]
    """keyframes"""
    ntendon: Final[int]
    """tendons"""
    body_parentid: Final[NDArray[np.int32]]
    """parent body; the world is its own parent, shape (nbody)"""
    body_mass: Final[NDArray[np.float64]]
    """mass [kg], shape (nbody)"""
    body_weldid: Final[NDArray[np.int32]]
    """nearest ancestor with joints, or the body itself; fixed relative to it, shape (nbody)"""
    jnt_type: Final[NDArray[np.int32]]
    """free, ball, slide or hinge, shape (njnt)"""
    jnt_bodyid: Final[NDArray[np.int32]]
    """body of the joint, shape (njnt)"""
    geom_type: Final[NDArray[np.int32]]
    """geom type, shape (ngeom)"""
    geom_size: Final[NDArray[np.float64]]
    """size parameters of its type [m], shape (ngeom, 3)"""
    geom_rgba: Final[NDArray[np.float32]]
    """colour, shape (ngeom, 4)"""
    geom_matid: Final[NDArray[np.int32]]
    """material, or -1, shape (ngeom)"""
    geom_group: Final[NDArray[np.int32]]
    """visualization group, shape (ngeom)"""
    geom_bodyid: Final[NDArray[np.int32]]
    """body of the geom, shape (ngeom)"""
    geom_rbound: Final[NDArray[np.float64]]
    """radius of the bounding sphere; 0 for a plane [m], shape (ngeom)"""
    geom_dataid: Final[NDArray[np.int32]]
    """mesh or height field, or -1, shape (ngeom)"""
    mesh_pos: Final[NDArray[np.float64]]
    """translation from the compiled frame to the file's frame [m], shape (nmesh, 3)"""
    mesh_quat: Final[NDArray[np.float64]]
    """rotation from the compiled frame to the file's frame, shape (nmesh, 4)"""
    mesh_vertadr: Final[NDArray[np.int32]]
    """first vertex, shape (nmesh)"""
    mesh_vertnum: Final[NDArray[np.int32]]
    """number of vertices, shape (nmesh)"""
    mesh_vert: Final[NDArray[np.float32]]
    """vertices [m], shape (nmeshvert, 3)"""
    mesh_normaladr: Final[NDArray[np.int32]]
    """first normal, shape (nmesh)"""
    mesh_normalnum: Final[NDArray[np.int32]]
    """number of normals, shape (nmesh)"""
    mesh_normal: Final[NDArray[np.float32]]
    """normals, shape (nmeshnormal, 3)"""
    mesh_texcoordadr: Final[NDArray[np.int32]]
    """first texture coordinate, or -1, shape (nmesh)"""
    mesh_texcoordnum: Final[NDArray[np.int32]]
    """number of texture coordinates, shape (nmesh)"""
    mesh_texcoord: Final[NDArray[np.float32]]
    """texture coordinates, shape (nmeshtexcoord, 2)"""
    mesh_faceadr: Final[NDArray[np.int32]]
    """first triangle, shape (nmesh)"""
    mesh_facenum: Final[NDArray[np.int32]]
    """number of triangles, shape (nmesh)"""
    mesh_face: Final[NDArray[np.int32]]
    """vertices of a triangle, shape (nmeshface, 3)"""
    mesh_facenormal: Final[NDArray[np.int32]]
    """normals of a triangle, shape (nmeshface, 3)"""
    mesh_facetexcoord: Final[NDArray[np.int32]]
    """texture coordinates of a triangle, shape (nmeshface, 3)"""
    mesh_graphadr: Final[NDArray[np.int32]]
    """address of the hull graph, or -1, shape (nmesh)"""
    mesh_graph: Final[NDArray[np.int32]]
    """hull graphs: sizes, edge starts, vertices, edges, faces, shape (nmeshgraph)"""
    mesh_bvhadr: Final[NDArray[np.int32]]
    """first bounding volume, shape (nmesh)"""
    mesh_bvhnum: Final[NDArray[np.int32]]
    """number of bounding volumes, shape (nmesh)"""
    hfield_size: Final[NDArray[np.float64]]
    """half-width, half-depth, maximum height, thickness of the base [m], shape (nhfield, 4)"""
    hfield_nrow: Final[NDArray[np.int32]]
    """number of rows, shape (nhfield)"""
    hfield_ncol: Final[NDArray[np.int32]]
    """number of columns, shape (nhfield)"""
    hfield_adr: Final[NDArray[np.int32]]
    """first point, shape (nhfield)"""
    hfield_data: Final[NDArray[np.float32]]
    """normalized elevations, 0 to 1, shape (nhfielddata)"""
    tendon_width: Final[NDArray[np.float64]]
    """width, for rendering [m], shape (ntendon)"""
    tendon_rgba: Final[NDArray[np.float32]]
    """colour, shape (ntendon, 4)"""
    tendon_matid: Final[NDArray[np.int32]]
    """material, or -1, shape (ntendon)"""
    tendon_group: Final[NDArray[np.int32]]
    """visualization group, shape (ntendon)"""
    tendon_num: Final[NDArray[np.int32]]
    """number of path elements, shape (ntendon)"""
    tendon_limited: Final[NDArray[np.bool_]]
    """length range is enforced, shape (ntendon)"""
    tendon_range: Final[NDArray[np.float64]]
    """lower and upper limit of its length [m], shape (ntendon, 2)"""
    tendon_stiffness: Final[NDArray[np.float64]]
    """spring stiffness [N/m], shape (ntendon)"""
    tendon_stiffnesspoly: Final[NDArray[np.float64]]
    """coefficients of x² and x³ in the spring force, shape (ntendon, 2)"""
    tendon_lengthspring: Final[NDArray[np.float64]]
    """resting length range of the spring [m], shape (ntendon, 2)"""
    tendon_damping: Final[NDArray[np.float64]]
    """damping coefficient: resisting force per unit velocity [N·s/m], shape (ntendon)"""
    tendon_dampingpoly: Final[NDArray[np.float64]]
    """coefficients of v|v| and v³ in the damping force, shape (ntendon, 2)"""
    tendon_frictionloss: Final[NDArray[np.float64]]
    """largest dry friction force [N], shape (ntendon)"""
    tendon_invweight0: Final[NDArray[np.float64]]
    """mean inverse inertia at qpos0 [1/kg], shape (ntendon)"""
    site_type: Final[NDArray[np.int32]]
    """shape, for rendering and touch sensors, shape (nsite)"""
    site_size: Final[NDArray[np.float64]]
    """size parameters of its type [m], shape (nsite, 3)"""
    site_rgba: Final[NDArray[np.float32]]
    """colour, shape (nsite, 4)"""
    site_matid: Final[NDArray[np.int32]]
    """material, or -1, shape (nsite)"""
    site_group: Final[NDArray[np.int32]]
    """visualization group, shape (nsite)"""
    site_bodyid: Final[NDArray[np.int32]]
    """body of the site, shape (nsite)"""
    site_dataid: Final[NDArray[np.int32]]
    """mesh, or -1, shape (nsite)"""
    cam_fovy: Final[NDArray[np.float64]]
    """vertical field of view; height in m if orthographic [deg], shape (ncam)"""
    cam_resolution: Final[NDArray[np.int32]]
    """resolution [px], shape (ncam, 2)"""
    cam_bodyid: Final[NDArray[np.int32]]
    """body of the camera, shape (ncam)"""
    cam_projection: Final[NDArray[np.int32]]
    """perspective or orthographic, shape (ncam)"""
    cam_sensorsize: Final[NDArray[np.float32]]
    """sensor size: width, height [m], shape (ncam, 2)"""
    cam_intrinsic: Final[NDArray[np.float32]]
    """focal lengths and principal point [m], shape (ncam, 4)"""
    light_type: Final[NDArray[np.int32]]
    """spot, directional, point or image, shape (nlight)"""
    light_active: Final[NDArray[np.bool_]]
    """is on, shape (nlight)"""
    light_castshadow: Final[NDArray[np.bool_]]
    """casts shadows, shape (nlight)"""
    light_ambient: Final[NDArray[np.float32]]
    """ambient colour, shape (nlight, 3)"""
    light_diffuse: Final[NDArray[np.float32]]
    """diffuse colour, shape (nlight, 3)"""
    light_specular: Final[NDArray[np.float32]]
    """specular colour, shape (nlight, 3)"""
    light_attenuation: Final[NDArray[np.float32]]
    """attenuation: constant, linear, quadratic, shape (nlight, 3)"""
    light_cutoff: Final[NDArray[np.float32]]
    """half-angle of a spotlight's cone [deg], shape (nlight)"""
    light_exponent: Final[NDArray[np.float32]]
    """falloff exponent of a spotlight, shape (nlight)"""
    mat_rgba: Final[NDArray[np.float32]]
    """colour, shape (nmat, 4)"""
    mat_specular: Final[NDArray[np.float32]]
    """specular reflection, shape (nmat)"""
    mat_shininess: Final[NDArray[np.float32]]
    """shininess: sharpness of highlights, shape (nmat)"""
    mat_emission: Final[NDArray[np.float32]]
    """emission, shape (nmat)"""
    mat_reflectance: Final[NDArray[np.float32]]
    """reflectance of mirror planes, shape (nmat)"""
    mat_texid: Final[NDArray[np.int32]]
    """texture for each role, or -1, shape (nmat, 10)"""
    mat_texrepeat: Final[NDArray[np.float32]]
    """repetitions of the texture in x and y, shape (nmat, 2)"""
    mat_texuniform: Final[NDArray[np.bool_]]
    """texture repetitions are per metre, not per geom, shape (nmat)"""
    mat_metallic: Final[NDArray[np.float32]]
    """metallicity, shape (nmat)"""
    mat_roughness: Final[NDArray[np.float32]]
    """roughness, shape (nmat)"""
    nskin: Final[int]
    """skins"""
    skin_matid: Final[NDArray[np.int32]]
    """material, or -1, shape (nskin)"""
    skin_group: Final[NDArray[np.int32]]
    """visualization group, shape (nskin)"""
    skin_rgba: Final[NDArray[np.float32]]
    """colour, shape (nskin, 4)"""
    skin_inflate: Final[NDArray[np.float32]]
    """inflation along the vertex normals [m], shape (nskin)"""
    skin_vertadr: Final[NDArray[np.int32]]
    """first vertex, shape (nskin)"""
    skin_vertnum: Final[NDArray[np.int32]]
    """number of vertices, shape (nskin)"""
    skin_texcoordadr: Final[NDArray[np.int32]]
    """first texture coordinate, or -1, shape (nskin)"""
    skin_faceadr: Final[NDArray[np.int32]]
    """first triangle, shape (nskin)"""
    skin_facenum: Final[NDArray[np.int32]]
    """number of triangles, shape (nskin)"""
    skin_boneadr: Final[NDArray[np.int32]]
    """first bone, shape (nskin)"""
    skin_bonenum: Final[NDArray[np.int32]]
    """number of bones, shape (nskin)"""
    skin_vert: Final[NDArray[np.float32]]
    """vertices [m], shape (nskinvert, 3)"""
    skin_texcoord: Final[NDArray[np.float32]]
    """texture coordinates, shape (nskintexvert, 2)"""
    skin_face: Final[NDArray[np.int32]]
    """vertices of a triangle, shape (nskinface, 3)"""
    skin_bonevertadr: Final[NDArray[np.int32]]
    """first vertex of a bone, shape (nskinbone)"""
    skin_bonevertnum: Final[NDArray[np.int32]]
    """number of vertices of a bone, shape (nskinbone)"""
    skin_bonebindpos: Final[NDArray[np.float32]]
    """bind position of the bone [m], shape (nskinbone, 3)"""
    skin_bonebindquat: Final[NDArray[np.float32]]
    """bind orientation of the bone, shape (nskinbone, 4)"""
    skin_bonebodyid: Final[NDArray[np.int32]]
    """body of the bone, shape (nskinbone)"""
    skin_bonevertid: Final[NDArray[np.int32]]
    """vertex influenced by a bone, shape (nskinbonevert)"""
    skin_bonevertweight: Final[NDArray[np.float32]]
    """weight of that vertex, shape (nskinbonevert)"""
    body_rootid: Final[NDArray[np.int32]]
    """ancestor that is a child of the world, shape (nbody)"""
    body_treeid: Final[NDArray[np.int32]]
    """kinematic tree, or -1, shape (nbody)"""
    body_inertia: Final[NDArray[np.float64]]
    """principal moments of inertia [kg·m²], shape (nbody, 3)"""
    body_jntadr: Final[NDArray[np.int32]]
    """first joint, or -1, shape (nbody)"""
    body_jntnum: Final[NDArray[np.int32]]
    """number of joints, shape (nbody)"""
    body_bvhadr: Final[NDArray[np.int32]]
    """first bounding volume, or -1, shape (nbody)"""
    body_bvhnum: Final[NDArray[np.int32]]
    """number of bounding volumes, shape (nbody)"""
    bvh_depth: Final[NDArray[np.int32]]
    """depth in its tree, shape (nbvh)"""
    bvh_child: Final[NDArray[np.int32]]
    """children; -1 for a leaf, shape (nbvh, 2)"""
    bvh_aabb: Final[NDArray[np.float64]]
    """bounding box: centre, half-sizes [m], shape (nbvhstatic, 6)"""
    jnt_group: Final[NDArray[np.int32]]
    """visualization group, shape (njnt)"""
    nactuator: Final[int]
    """actuators"""
    nu: Final[int]
    """controls, length of ctrl"""
    actuator_trntype: Final[NDArray[np.int32]]
    """transmission type, shape (nactuator)"""
    actuator_trnid: Final[NDArray[np.int32]]
    """transmission target: joint, tendon, site or body; second one, or -1, shape (nactuator, 2)"""
    actuator_group: Final[NDArray[np.int32]]
    """group, for visualization and disabling, shape (nactuator)"""
    actuator_ctrlrange: Final[NDArray[np.float64]]
    """lower and upper limit of the control, shape (nu, 2)"""
    actuator_ctrllimited: Final[NDArray[np.bool_]]
    """control is limited, shape (nu)"""
    actuator_actadr: Final[NDArray[np.int32]]
    """first activation state, or -1, shape (nactuator)"""
    actuator_actnum: Final[NDArray[np.int32]]
    """number of activation states, shape (nactuator)"""
    actuator_actrange: Final[NDArray[np.float64]]
    """lower and upper limit of the activation, shape (nactuator, 2)"""
    actuator_cranklength: Final[NDArray[np.float64]]
    """length of the connecting rod of a slider-crank [m], shape (nactuator)"""
    actuator_ctrladr: Final[NDArray[np.int32]]
    """first control, shape (nactuator)"""
    actuator_gear: Final[NDArray[np.float64]]
    """gear: scales length and force of the transmission, shape (nout, 6)"""
    neq: Final[int]
    """equality constraints"""
    eq_type: Final[NDArray[np.int32]]
    """connect, weld, joint, tendon or distance, shape (neq)"""
    eq_obj1id: Final[NDArray[np.int32]]
    """first object, shape (neq)"""
    eq_obj2id: Final[NDArray[np.int32]]
    """second object, or -1, shape (neq)"""
    eq_objtype: Final[NDArray[np.int32]]
    """type of both objects, shape (neq)"""
    eq_data: Final[NDArray[np.float64]]
    """parameters of its type, shape (neq, 12)"""
    nsensor: Final[int]
    """sensors"""
    sensor_type: Final[NDArray[np.int32]]
    """sensor type, shape (nsensor)"""
    sensor_objtype: Final[NDArray[np.int32]]
    """type of the sensorized object, shape (nsensor)"""
    sensor_objid: Final[NDArray[np.int32]]
    """id of the sensorized object, shape (nsensor)"""
    sensor_adr: Final[NDArray[np.int32]]
    """address in sensordata, shape (nsensor)"""
    sensor_dim: Final[NDArray[np.int32]]
    """number of outputs, shape (nsensor)"""
    sensor_intprm: Final[NDArray[np.int32]]
    """integer parameters of its type, shape (nsensor, 3)"""
    tex_type: Final[NDArray[np.int32]]
    """2d, cube or skybox, shape (ntex)"""
    tex_width: Final[NDArray[np.int32]]
    """width [px], shape (ntex)"""
    tex_height: Final[NDArray[np.int32]]
    """height [px], shape (ntex)"""
    tex_nchannel: Final[NDArray[np.int32]]
    """number of channels, shape (ntex)"""
    tex_adr: Final[NDArray[np.int64]]
    """first byte, shape (ntex)"""
    tex_data: Final[NDArray[np.uint8]]
    """pixels of all textures, shape (ntexdata)"""
    na: Final[int]
    """activation states, length of act"""
    nmocap: Final[int]
    """mocap bodies"""
    npair: Final[int]
    """explicit contact pairs"""
    ntree: Final[int]
    """kinematic trees: subtrees of moving bodies rooted in the world"""
    tree_bodyadr: Final[NDArray[np.int32]]
    """first body, shape (ntree)"""
    tree_bodynum: Final[NDArray[np.int32]]
    """number of bodies, shape (ntree)"""
    tree_dofadr: Final[NDArray[np.int32]]
    """first dof, shape (ntree)"""
    tree_dofnum: Final[NDArray[np.int32]]
    """number of dofs, shape (ntree)"""
    body_mocapid: Final[NDArray[np.int32]]
    """mocap index, or -1, shape (nbody)"""
    jnt_qposadr: Final[NDArray[np.int32]]
    """first coordinate, shape (njnt)"""
    jnt_dofadr: Final[NDArray[np.int32]]
    """first dof, shape (njnt)"""
    jnt_plasticadr: Final[NDArray[np.int32]]
    """address of its coordinates in plastic, or -1, shape (njnt)"""
    tendon_plasticadr: Final[NDArray[np.int32]]
    """address of its length range in plastic, or -1, shape (ntendon)"""
    nplastic: Final[int]
    """numbers of the rest of plastic springs, length of plastic"""
    dof_jntid: Final[NDArray[np.int32]]
    """joint of the dof, shape (nv)"""
    dof_invweight0: Final[NDArray[np.float64]]
    """mean diagonal entry of the inverse inertia matrix at qpos0, shape (nv)"""
    dof_treeid: Final[NDArray[np.int32]]
    """kinematic tree, shape (nv)"""
    dof_length: Final[NDArray[np.float64]]
    """distance moved per unit of the dof, to convert its velocity to m/s [m], shape (nv)"""
    qpos0: Final[NDArray[np.float64]]
    """generalized coordinates of the reference configuration [q], shape (nq)"""
    light_bodyid: Final[NDArray[np.int32]]
    """body of the light, shape (nlight)"""
    pair_geom1: Final[NDArray[np.int32]]
    """first geom, shape (npair)"""
    pair_geom2: Final[NDArray[np.int32]]
    """second geom, shape (npair)"""
    actuator_ctrlnum: Final[NDArray[np.int32]]
    """number of controls, shape (nactuator)"""
    actuator_outadr: Final[NDArray[np.int32]]
    """first force output, shape (nactuator)"""
    actuator_outnum: Final[NDArray[np.int32]]
    """number of force outputs, shape (nactuator)"""
    actuator_dyntype: Final[NDArray[np.int32]]
    """activation dynamics type, shape (nactuator)"""
    actuator_gaintype: Final[NDArray[np.int32]]
    """gain type, shape (nactuator)"""
    actuator_biastype: Final[NDArray[np.int32]]
    """bias type, shape (nactuator)"""
    actuator_ctrlspec: Final[NDArray[np.int32]]
    """meaning of its controls, shape (nactuator)"""
    actuator_history: Final[NDArray[np.int32]]
    """delay buffer: number of samples, interpolation, shape (nactuator, 2)"""
    sensor_history: Final[NDArray[np.int32]]
    """delay buffer: number of samples, interpolation, shape (nsensor, 2)"""
    tendon_adr: Final[NDArray[np.int32]]
    """first element of the path, shape (ntendon)"""
    wrap_type: Final[NDArray[np.int32]]
    """joint, pulley, site, sphere or cylinder, shape (nwrap)"""
    wrap_objid: Final[NDArray[np.int32]]
    """joint, site or geom, or -1, shape (nwrap)"""
    wrap_prm: Final[NDArray[np.float64]]
    """joint coefficient, pulley divisor or side site, shape (nwrap)"""
    sensor_datatype: Final[NDArray[np.int32]]
    """data type: real, positive, axis or quaternion, shape (nsensor)"""
    key_time: Final[NDArray[np.float64]]
    """time [s], shape (nkey)"""
    body_subtreemass: Final[NDArray[np.float64]]
    """mass of the subtree that starts at the body [kg], shape (nbody)"""
    key_qpos: Final[NDArray[np.float64]]
    """generalized coordinates [q], shape (nkey, nq)"""
    key_ctrl: Final[NDArray[np.float64]]
    """controls, shape (nkey, nu)"""
    jnt_actfrclimited: Final[NDArray[np.bool_]]
    """total actuator force is limited, shape (njnt)"""
    jnt_actfrcrange: Final[NDArray[np.float64]]
    """lower and upper limit of the total actuator force [F], shape (njnt, 2)"""
    body_gravcomp: Final[NDArray[np.float64]]
    """compensated fraction of the weight, shape (nbody)"""
    tree_sleep_policy: Final[NDArray[np.int32]]
    """sleep policy, shape (ntree)"""
    jnt_springyield: Final[NDArray[np.float64]]
    """displacement from rest at which its spring yields; never if 0 at load time [q], shape (njnt)"""
    dof_damping: Final[NDArray[np.float64]]
    """damping coefficient: resisting force per unit velocity [F·s/q], shape (nv)"""
    jnt_stiffness: Final[NDArray[np.float64]]
    """spring stiffness [F/q], shape (njnt)"""
    qpos_spring: Final[NDArray[np.float64]]
    """generalized coordinates at which joint springs are at rest [q], shape (nq)"""
    dof_armature: Final[NDArray[np.float64]]
    """rotor inertia: added to the diagonal of the inertia matrix [F·s²/q], shape (nv)"""
    dof_frictionloss: Final[NDArray[np.float64]]
    """largest dry friction force [F], shape (nv)"""
    jnt_limited: Final[NDArray[np.bool_]]
    """range is enforced, shape (njnt)"""
    jnt_range: Final[NDArray[np.float64]]
    """lower and upper limit [q], shape (njnt, 2)"""
    jnt_margin: Final[NDArray[np.float64]]
    """distance from the limit at which it becomes active [q], shape (njnt)"""
    jnt_solref: Final[NDArray[np.float64]]
    """reference spring-damper of its limit, shape (njnt, 2)"""
    jnt_solimp: Final[NDArray[np.float64]]
    """impedance of its limit, shape (njnt, 5)"""
    dof_solref: Final[NDArray[np.float64]]
    """reference spring-damper of its dry friction, shape (nv, 2)"""
    dof_solimp: Final[NDArray[np.float64]]
    """impedance of its dry friction, shape (nv, 5)"""
    geom_friction: Final[NDArray[np.float64]]
    """friction coefficients: sliding, torsional, rolling, shape (ngeom, 3)"""
    geom_condim: Final[NDArray[np.int32]]
    """contact dimension: 1, 3, 4 or 6, shape (ngeom)"""
    geom_contype: Final[NDArray[np.int32]]
    """collision bits: what the geom is, shape (ngeom)"""
    geom_conaffinity: Final[NDArray[np.int32]]
    """collision bits: what it collides with, shape (ngeom)"""
    geom_solref: Final[NDArray[np.float64]]
    """reference spring-damper of its contacts, shape (ngeom, 2)"""
    geom_solimp: Final[NDArray[np.float64]]
    """impedance of its contacts, shape (ngeom, 5)"""
    geom_solmix: Final[NDArray[np.float64]]
    """weight for mixing contact parameters, shape (ngeom)"""
    geom_priority: Final[NDArray[np.int32]]
    """priority: the geom with the higher priority sets the contact parameters, shape (ngeom)"""
    geom_margin: Final[NDArray[np.float64]]
    """distance below which contacts are active [m], shape (ngeom)"""
    geom_gap: Final[NDArray[np.float64]]
    """additional distance within which inactive contacts are reported [m], shape (ngeom)"""
    geom_castshadow: Final[NDArray[np.bool_]]
    """casts shadows, shape (ngeom)"""
    pair_dim: Final[NDArray[np.int32]]
    """contact dimension, shape (npair)"""
    pair_friction: Final[NDArray[np.float64]]
    """friction coefficients: two sliding, torsional, two rolling, shape (npair, 5)"""
    pair_solref: Final[NDArray[np.float64]]
    """reference spring-damper of its contacts, shape (npair, 2)"""
    pair_solreffriction: Final[NDArray[np.float64]]
    """reference spring-damper of their friction; 0 0: same as solref, shape (npair, 2)"""
    pair_solimp: Final[NDArray[np.float64]]
    """impedance of its contacts, shape (npair, 5)"""
    pair_margin: Final[NDArray[np.float64]]
    """distance below which contacts are active [m], shape (npair)"""
    pair_gap: Final[NDArray[np.float64]]
    """additional distance within which inactive contacts are reported [m], shape (npair)"""
    eq_active0: Final[NDArray[np.bool_]]
    """active; d.eq_active follows it at run time, shape (neq)"""
    eq_solref: Final[NDArray[np.float64]]
    """reference spring-damper of the constraint, shape (neq, 2)"""
    eq_solimp: Final[NDArray[np.float64]]
    """impedance of the constraint, shape (neq, 5)"""
    tendon_springyield: Final[NDArray[np.float64]]
    """displacement from rest at which its spring yields; never if 0 at load time [m], shape (ntendon)"""
    tendon_margin: Final[NDArray[np.float64]]
    """distance from the limit at which it becomes active [m], shape (ntendon)"""
    tendon_solref_lim: Final[NDArray[np.float64]]
    """reference spring-damper of its limit, shape (ntendon, 2)"""
    tendon_solimp_lim: Final[NDArray[np.float64]]
    """impedance of its limit, shape (ntendon, 5)"""
    tendon_solref_fri: Final[NDArray[np.float64]]
    """reference spring-damper of its dry friction, shape (ntendon, 2)"""
    tendon_solimp_fri: Final[NDArray[np.float64]]
    """impedance of its dry friction, shape (ntendon, 5)"""
    tendon_armature: Final[NDArray[np.float64]]
    """inertia associated with changes of its length [kg], shape (ntendon)"""
    actuator_gainprm: Final[NDArray[np.float64]]
    """parameters of the gain: force per unit of control or activation, shape (nactuator, 10)"""
    actuator_biasprm: Final[NDArray[np.float64]]
    """parameters of the bias: force without control, shape (nactuator, 10)"""
    actuator_dynprm: Final[NDArray[np.float64]]
    """parameters of the dynamics: from control to activation, shape (nactuator, 10)"""
    actuator_delay: Final[NDArray[np.float64]]
    """delay of the control [s], shape (nactuator)"""
    actuator_forcelimited: Final[NDArray[np.bool_]]
    """force is limited, shape (nactuator)"""
    actuator_forcerange: Final[NDArray[np.float64]]
    """lower and upper limit of the force [F], shape (nactuator, 2)"""
    actuator_actlimited: Final[NDArray[np.bool_]]
    """activation is limited, shape (nactuator)"""
    sensor_delay: Final[NDArray[np.float64]]
    """delay of the reading [s], shape (nsensor)"""
    opt: Final[ModelViewOpt]
    stat: Final[ModelViewStat]
    vis: Final[ModelViewVis]

class StateViewPerturb:
    select: Final[int]
    """selected body of the mouse perturbation"""
    active: Final[int]
    """bits of PERT_*: translation, rotation; 0: none"""
    xfrc: Final[NDArray[np.float64]]
    """force and torque of the perturbation at the body's centre of mass [N,N·m], shape (6)"""

class StateViewContact:
    pos: Final[NDArray[np.float64]]
    """contact point: midpoint between the surfaces [m], shape (ncon, 3)"""
    frame: Final[NDArray[np.float64]]
    """contact frame, by rows: normal from geom 0 to geom 1, two tangents, shape (ncon, 9)"""
    dim: Final[NDArray[np.int32]]
    """contact dimension: 1, 3, 4 or 6, shape (ncon)"""
    friction: Final[NDArray[np.float64]]
    """friction coefficients: two sliding, torsional, two rolling, shape (ncon, 5)"""
    geom: Final[NDArray[np.int32]]
    """geom ids, shape (ncon, 2)"""
    efc_address: Final[NDArray[np.int32]]
    """first constraint row, or -1, shape (ncon)"""
    dist: Final[NDArray[np.float64]]
    """distance between the surfaces; negative: penetration [m], shape (ncon)"""
    adhesion: Final[NDArray[np.float64]]
    """adhesion force [N], shape (ncon)"""
    surfacevel: Final[NDArray[np.float64]]
    """velocity of the moving surfaces, geom 1 minus geom 0: two tangents, spin, shape (ncon, 3)"""
    includemargin: Final[NDArray[np.float64]]
    """distance below which the contact is active [m], shape (ncon)"""
    solref: Final[NDArray[np.float64]]
    """reference spring-damper of the normal row, shape (ncon, 2)"""
    solimp: Final[NDArray[np.float64]]
    """impedance, shape (ncon, 5)"""
    exclude: Final[NDArray[np.int32]]
    """reason for exclusion from the constraints; 0: included, shape (ncon)"""

class StateViewNoise:
    scale: Final[float]
    """control noise: standard deviation in halves of the control range; 0: none"""
    rate: Final[float]
    """correlation time of the noise [s]"""

class StateViewWarning:
    number: Final[NDArray[np.int32]]
    """number of times the warning was raised, shape (nwarning)"""
    lastinfo: Final[NDArray[np.int32]]
    """index reported with the last one, shape (nwarning)"""

class StateViewSolver:
    improvement: Final[NDArray[np.float64]]
    """cost reduction, by island and iteration, shape (4000)"""
    gradient: Final[NDArray[np.float64]]
    """norm of the gradient, shape (4000)"""
    neval: Final[NDArray[np.int32]]
    """number of cost evaluations in the line search, shape (4000)"""

class StateViewFields:
    time: Final[float]
    """simulation time [s]"""
    qpos: Final[NDArray[np.float64]]
    """generalized coordinates [q], shape (nq)"""
    qvel: Final[NDArray[np.float64]]
    """generalized velocities [q/s], shape (nv)"""
    xpos: Final[NDArray[np.float64]]
    """position of the body frame [m], shape (nbody, 3)"""
    xmat: Final[NDArray[np.float64]]
    """orientation of the body frame, as a matrix, shape (nbody, 9)"""
    geom_xpos: Final[NDArray[np.float64]]
    """position of the geom [m], shape (ngeom, 3)"""
    geom_xmat: Final[NDArray[np.float64]]
    """orientation of the geom, as a matrix, shape (ngeom, 9)"""
    site_xpos: Final[NDArray[np.float64]]
    """position of the site [m], shape (nsite, 3)"""
    site_xmat: Final[NDArray[np.float64]]
    """orientation of the site, as a matrix, shape (nsite, 9)"""
    cam_xpos: Final[NDArray[np.float64]]
    """position of the camera [m], shape (ncam, 3)"""
    cam_xmat: Final[NDArray[np.float64]]
    """orientation of the camera, which looks along -z, shape (ncam, 9)"""
    light_xpos: Final[NDArray[np.float64]]
    """position of the light [m], shape (nlight, 3)"""
    light_xdir: Final[NDArray[np.float64]]
    """direction of the light, shape (nlight, 3)"""
    xipos: Final[NDArray[np.float64]]
    """centre of mass of the body [m], shape (nbody, 3)"""
    ximat: Final[NDArray[np.float64]]
    """orientation of the body's principal axes, as a matrix, shape (nbody, 9)"""
    xanchor: Final[NDArray[np.float64]]
    """joint anchor [m], shape (njnt, 3)"""
    xaxis: Final[NDArray[np.float64]]
    """joint axis, shape (njnt, 3)"""
    subtree_com: Final[NDArray[np.float64]]
    """centre of mass of the subtree [m], shape (nbody, 3)"""
    ctrl: Final[NDArray[np.float64]]
    """controls, shape (nu)"""
    act: Final[NDArray[np.float64]]
    """actuator activations, shape (na)"""
    eq_active: Final[NDArray[np.bool_]]
    """equality constraint is active, shape (neq)"""
    sensordata: Final[NDArray[np.float64]]
    """sensor outputs, shape (nsensordata)"""
    ten_wrapadr: Final[NDArray[np.int32]]
    """first point of the path, shape (ntendon)"""
    ten_wrapnum: Final[NDArray[np.int32]]
    """number of path points, shape (ntendon)"""
    wrap_obj: Final[NDArray[np.int32]]
    """geom of each path point; -1: site, -2: pulley, shape (nwrap, 2)"""
    wrap_xpos: Final[NDArray[np.float64]]
    """positions of all path points, two per row [m], shape (nwrap, 6)"""
    ncon: Final[int]
    """number of detected contacts"""
    nefc: Final[int]
    """number of constraint rows"""
    nisland: Final[int]
    """number of islands: trees coupled by constraints"""
    efc_force: Final[NDArray[np.float64]]
    """constraint force in constraint space [F], shape (nefc)"""
    xfrc_applied: Final[NDArray[np.float64]]
    """applied Cartesian force and torque at each body's centre of mass [N,N·m], shape (nbody, 6)"""
    xquat: Final[NDArray[np.float64]]
    """orientation of the body frame, as a quaternion, shape (nbody, 4)"""
    tree_island: Final[NDArray[np.int32]]
    """island of the tree, or -1, shape (ntree)"""
    tree_asleep: Final[NDArray[np.int32]]
    """awake: negative countdown to -1, ready; asleep: next tree of its cycle, shape (ntree)"""
    actuator_force: Final[NDArray[np.float64]]
    """actuator force [F], shape (nout)"""
    mocap_pos: Final[NDArray[np.float64]]
    """positions of mocap bodies [m], shape (nmocap, 3)"""
    mocap_quat: Final[NDArray[np.float64]]
    """orientations of mocap bodies, shape (nmocap, 4)"""
    energy: Final[NDArray[np.float64]]
    """potential and kinetic energy [J], shape (2)"""
    cvel: Final[NDArray[np.float64]]
    """velocity of the body about the tree's centre of mass: angular, linear, shape (nbody, 6)"""
    plastic: Final[NDArray[np.float64]]
    """rest of plastic springs: coordinates of joints, length ranges of tendons, shape (nplastic)"""
    ne: Final[int]
    """number of equality rows, which come first"""
    nf: Final[int]
    """number of friction rows, which come second"""
    nl: Final[int]
    """number of limit rows, which come third"""
    nJ: Final[int]
    """number of entries of efc_J"""
    efc_type: Final[NDArray[np.int32]]
    """constraint type, shape (nefc)"""
    efc_id: Final[NDArray[np.int32]]
    """id of the contact, joint, tendon or equality, shape (nefc)"""
    efc_pos: Final[NDArray[np.float64]]
    """constraint residual [q], shape (nefc)"""
    efc_margin: Final[NDArray[np.float64]]
    """distance below which the row is active [q], shape (nefc)"""
    efc_vel: Final[NDArray[np.float64]]
    """velocity in constraint space [q/s], shape (nefc)"""
    efc_aref: Final[NDArray[np.float64]]
    """reference acceleration [q/s²], shape (nefc)"""
    efc_R: Final[NDArray[np.float64]]
    """regularization: added to the diagonal of J M⁻¹ Jᵀ, shape (nefc)"""
    efc_state: Final[NDArray[np.int32]]
    """constraint state: satisfied, quadratic, linear below, linear above, cone, shape (nefc)"""
    efc_island: Final[NDArray[np.int32]]
    """island of the row, shape (nefc)"""
    island_ntree: Final[NDArray[np.int32]]
    """number of trees, shape (nisland)"""
    island_nv: Final[NDArray[np.int32]]
    """number of dofs, shape (nisland)"""
    island_nefc: Final[NDArray[np.int32]]
    """number of constraint rows, shape (nisland)"""
    dof_island: Final[NDArray[np.int32]]
    """island of the dof, or -1, shape (nv)"""
    tree_awake: Final[NDArray[np.int32]]
    """tree is awake, shape (ntree)"""
    tree_wakecause: Final[NDArray[np.int32]]
    """last cause of waking (WAKE_*), and the id of the element, shape (ntree, 2)"""
    tree_restless: Final[NDArray[np.int32]]
    """reason why the tree is awake (AWAKE_*), and the id of the element, shape (ntree, 2)"""
    ntree_awake: Final[int]
    """number of awake trees"""
    nv_awake: Final[int]
    """number of awake dofs"""
    solver_niter: Final[NDArray[np.int32]]
    """number of solver iterations, by island, shape (20)"""
    solver_nnz: Final[NDArray[np.int32]]
    """nonzeros of the matrix the solver works on, by island, shape (20)"""
    ten_length: Final[NDArray[np.float64]]
    """length of the tendon [m], shape (ntendon)"""
    ten_velocity: Final[NDArray[np.float64]]
    """velocity of the tendon [m/s], shape (ntendon)"""
    actuator_length: Final[NDArray[np.float64]]
    """actuator length: transmission length times gear, shape (nout)"""
    actuator_velocity: Final[NDArray[np.float64]]
    """actuator velocity, shape (nout)"""
    qfrc_actuator: Final[NDArray[np.float64]]
    """actuator force on the dofs [F], shape (nv)"""
    qfrc_passive: Final[NDArray[np.float64]]
    """total passive force [F], shape (nv)"""
    qfrc_constraint: Final[NDArray[np.float64]]
    """constraint force [F], shape (nv)"""
    qacc: Final[NDArray[np.float64]]
    """generalized acceleration [q/s²], shape (nv)"""
    qfrc_applied: Final[NDArray[np.float64]]
    """applied generalized force [F], shape (nv)"""
    qfrc_bias: Final[NDArray[np.float64]]
    """bias force: Coriolis, centrifugal, gravity [F], shape (nv)"""
    perturb: Final[StateViewPerturb]
    contact: Final[StateViewContact]
    noise: Final[StateViewNoise]
    warning: Final[StateViewWarning]
    solver: Final[StateViewSolver]
