"""Attributes of textures, materials, meshes, height fields and skins."""

ASSETS_TEXT = """
# texture
type          enum:texture      cube           tex_type i4
    2d, cube or skybox
colorspace    enum:colorspace   auto           tex_colorspace i4
    automatic, linear or sRGB
content_type  str               ""
file          str               ""
gridsize      int[2]            1 1
gridlayout    str               ""
fileright     str               ""
fileleft      str               ""
fileup        str               ""
filedown      str               ""
filefront     str               ""
fileback      str               ""
builtin       enum:builtin      none
rgb1          real[3]           0.8 0.8 0.8
rgb2          real[3]           0.5 0.5 0.5
mark          enum:mark         none
markrgb       real[3]           0 0 0
random        real              0.01
width         int               0              tex_width i4     px
    width
height        int               0              tex_height i4    px
    height
hflip         bool              false
vflip         bool              false
nchannel      int               3              tex_nchannel i4
    number of channels
embed         enum:embed        auto

# material
texture       str
texrepeat     real[2]           1 1            mat_texrepeat f4
    repetitions of the texture in x and y
texuniform    bool              false          mat_texuniform b1
    texture repetitions are per metre, not per geom
emission      real              0              mat_emission f4
    emission
specular      real              0.5            mat_specular f4
    specular reflection
shininess     real              0.5            mat_shininess f4
    shininess: sharpness of highlights
reflectance   real              0              mat_reflectance f4
    reflectance of mirror planes
metallic      real              -1             mat_metallic f4
    metallicity
roughness     real              -1             mat_roughness f4
    roughness
rgba          real[4]           1 1 1 1        mat_rgba f4
    colour

# layer
texture       str!
role          enum:texrole!

# mesh
content_type  str               ""
file          str               ""
vertex        real[]            ()
normal        real[]            ()
texcoord      real[]            ()
face          int[]             ()
refpos        real[3]           0 0 0
refquat       real[4]           1 0 0 0
scale         real[3]           1 1 1          mesh_scale f8
    scale given in the file
smoothnormal  bool              false
maxhullvert   int               -1
inertia       enum:meshinertia  legacy
builtin       enum:meshbuiltin  none
params        real[]            ()
material      str               ""

# hfield
content_type  str               ""
file          str               ""
nrow          int               0              hfield_nrow i4
    number of rows
ncol          int               0              hfield_ncol i4
    number of columns
size          real[4]!          0 0 0 0        hfield_size f8   m
    half-width, half-depth, maximum height, thickness of the base
elevation     real[]            ()

# skin
file          str               ""
material      ref:material      ""             skin_matid i4
    material, or -1
rgba          real[4]           0.5 0.5 0.5 1  skin_rgba f4
    colour
inflate       real              0              skin_inflate f4  m
    inflation along the vertex normals
vertex        real[]            ()
texcoord      real[]            ()
face          int[]             ()
group         int               0              skin_group i4
    visualization group

# bone
body          str!              ""
bindpos       real[3]!          0 0 0
bindquat      real[4]!          1 0 0 0
vertid        int[]!            ()
vertweight    real[]!           ()

# model
name          str
file          str!
content_type  str
"""
