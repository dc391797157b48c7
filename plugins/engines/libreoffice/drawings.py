"""What slides and pages of drawings show of their masters, where the office does not see to it.

A presentation that was exported as a drawing becomes one (ODF 1.3 part 3, 3.8 and 3.10): the export leaves a package that
says it is a presentation, and masters whose placeholders a drawing shows on every page: "Click to edit Master title style".
Exports of single pages as vector pictures leave out the background and all that stands on the master: for them it is
copied onto the pages.
"""

import copy
import io
import re
import xml.etree.ElementTree as ElementTree
import zipfile

from style_sheets import DRAW, OFFICE, PRESENTATION, STYLE, SVG, TEXT, centimetres, register_prefixes, written

FIELDS = (b'footer', b'date-time', b'page-number')
FRAME = re.compile(rb'<draw:frame\b([^>]*[^>/])>.*?</draw:frame>', re.S)
DECLARED = re.compile(rb'<presentation:(header|footer|date-time)-decl\b[^>]*?(?:/>|>([^<]*)</presentation:\1-decl>)')


def as_drawing(package):
    source = zipfile.ZipFile(io.BytesIO(package))
    parts = {entry.filename: source.read(entry) for entry in source.infolist()}
    content, styles = parts['content.xml'], parts['styles.xml']
    shown = shown_fields(content)
    said = {kind: text for kind, text in reversed(DECLARED.findall(content)) if text}

    def kept(frame):
        if b'presentation:placeholder="true"' in frame[1]:
            return b''
        kind = re.search(rb'presentation:class="([^"]*)"', frame[1])
        if kind is None:
            return frame[0]
        if kind[1] not in shown:
            return b''
        return re.sub(rb'<presentation:(footer|date-time)/>', lambda field: said.get(field[1], b''), frame[0])

    parts['styles.xml'] = FRAME.sub(kept, styles)
    content = re.sub(rb'<presentation:settings\b[^>]*(?:/>|>.*?</presentation:settings>)', b'', content, flags=re.S)
    parts['content.xml'] = re.sub(rb'(</?office:)presentation>', rb'\1drawing>', DECLARED.sub(b'', content))
    for name in ('mimetype', 'META-INF/manifest.xml'):
        parts[name] = re.sub(rb'(opendocument\.)presentation\b(?!-)', rb'\1graphics', parts[name])
    made = io.BytesIO()
    with zipfile.ZipFile(made, 'w') as target:
        for entry in source.infolist():
            target.writestr(entry.filename, parts[entry.filename], entry.compress_type)
    return made.getvalue()


def shown_fields(content):
    """Of the parts of a master that a slide may hide: those that any slide shows."""
    used = set(re.findall(rb'<draw:page\b[^>]*\bdraw:style-name="([^"]*)"', content))
    looks = re.findall(rb'<style:style style:name="([^"]*)" style:family="drawing-page"[^>]*>(.*?)</style:style>', content)
    return {
        kind
        for kind in FIELDS
        if any(name in used and b'presentation:display-%s="true"' % kind in look for name, look in looks)
    }


FO = '{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}'
PROPERTIES = f'{STYLE}drawing-page-properties'
MOST_TILES = 1000
LATER = '{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}'
COSTLY = [f'{LATER}{name}' for name in ('shadow-blur', 'softedge-radius', 'glow-radius', 'fill-use-slide-background')]
# Shapes of a master that each page has of its own.
OWN = {'title', 'subtitle', 'outline', 'notes', 'page', 'handout', 'header'}


def with_masters(flat):
    """Flat OpenDocument whose pages hold what their masters show behind them; None where these show nothing."""
    register_prefixes(flat)
    root = ElementTree.fromstring(flat)
    looks = {
        style.get(f'{STYLE}name'): style.find(PROPERTIES)
        for style in root.iter(f'{STYLE}style')
        if style.get(f'{STYLE}family') == 'drawing-page'
    }
    sizes = {
        layout.get(f'{STYLE}name'): layout.find(f'{STYLE}page-layout-properties')
        for layout in root.iter(f'{STYLE}page-layout')
    }
    masters = {master.get(f'{STYLE}name'): master for master in root.iter(f'{STYLE}master-page')}
    said = {
        (part.tag, part.get(f'{PRESENTATION}name')): part.text or ''
        for body in root.iter(f'{OFFICE}presentation')
        for part in body
        if part.tag.endswith('-decl')
    }
    changed = False
    for page in root.iter(f'{DRAW}page'):
        master = masters.get(page.get(f'{DRAW}master-page-name'))
        if master is None:
            continue
        look = looks.get(page.get(f'{DRAW}style-name'))
        behind = []
        if shows(look, 'background-visible'):
            size = sizes.get(master.get(f'{STYLE}page-layout-name'))
            behind += background([look, looks.get(master.get(f'{DRAW}style-name'))], size, root)
        if shows(look, 'background-objects-visible'):
            behind += [copied(shape, page, said) for shape in master if is_shown(shape, look)]
        # Before its first shape: forms and the like come first.
        first = next((at for at, part in enumerate(page) if part.tag.startswith(DRAW)), len(page))
        page[first:first] = behind
        changed = changed or len(behind) > 0
    if not changed:
        return None
    lighten(root)
    return written(root)


def lighten(root):
    """Takes from the styles of masters what becomes megabytes in a vector picture, on each page once more."""
    used = {
        shape.get(f'{DRAW}style-name')
        for master in root.iter(f'{STYLE}master-page')
        for shape in master.iter()
        if shape.tag.startswith(DRAW)
    }
    for style in root.iter(f'{STYLE}style'):
        look = style.find(f'{STYLE}graphic-properties')
        if look is None or style.get(f'{STYLE}name') not in used:
            continue
        for effect in COSTLY:
            look.attrib.pop(effect, None)
        look.set(f'{DRAW}shadow', 'hidden')
        if look.get(f'{DRAW}fill') == 'bitmap':
            look.set(f'{DRAW}fill', 'none')


def shows(look, what, otherwise='true'):
    return (otherwise if look is None else look.get(f'{PRESENTATION}{what}', otherwise)) == 'true'


def background(looks, size, root):
    """The fill of the page, or else of its master, as a shape of the size of the page."""
    filled = [look for look in looks if look is not None and look.get(f'{DRAW}fill') is not None]
    if not filled or filled[0].get(f'{DRAW}fill') == 'none' or size is None or is_tiled(filled[0], size):
        return []
    styles = root.find(f'{OFFICE}automatic-styles')
    name = f'Behind{len(styles)}'
    style = ElementTree.SubElement(styles, f'{STYLE}style', {f'{STYLE}name': name, f'{STYLE}family': 'graphic'})
    fill = {key: value for key, value in filled[0].attrib.items() if not key.startswith(PRESENTATION)}
    fill[f'{DRAW}stroke'] = 'none'
    ElementTree.SubElement(style, f'{STYLE}graphic-properties', fill)
    place = {f'{SVG}x': '0cm', f'{SVG}y': '0cm', f'{DRAW}style-name': name, f'{DRAW}layer': 'layout'}
    for side in ('width', 'height'):
        place[f'{SVG}{side}'] = size.get(f'{FO}page-{side}', '0cm')
    return [ElementTree.Element(f'{DRAW}rect', place)]


def is_tiled(fill, size):
    """Whether it is a picture so small that thousands of it would be drawn."""
    if fill.get(f'{DRAW}fill') != 'bitmap' or fill.get(f'{STYLE}repeat', 'repeat') != 'repeat':
        return False
    tiles = 1
    for side in ('width', 'height'):
        whole, part = centimetres(size.get(f'{FO}page-{side}')), centimetres(fill.get(f'{DRAW}fill-image-{side}'))
        # Without a size it has that of its pixels, which may be few.
        tiles *= whole / part if part else MOST_TILES
    return tiles > MOST_TILES


def is_shown(shape, look):
    if not shape.tag.startswith(DRAW) or shape.get(f'{PRESENTATION}placeholder') == 'true':
        return False
    kind = shape.get(f'{PRESENTATION}class')
    if kind is not None and kind.encode() in FIELDS:
        return shows(look, f'display-{kind}')
    return kind not in OWN


def copied(shape, page, said):
    """As a shape of the page, with the texts that the page has for the fields of its master."""
    shape = copy.deepcopy(shape)
    for part in shape.iter():
        part.attrib.pop(f'{PRESENTATION}class', None)
        part.attrib.pop(f'{DRAW}id', None)
        part.attrib.pop('{http://www.w3.org/XML/1998/namespace}id', None)
        if part.tag in (f'{PRESENTATION}footer', f'{PRESENTATION}date-time'):
            name = page.get(part.tag.replace(PRESENTATION, f'{PRESENTATION}use-') + '-name')
            part.text = said.get((f'{part.tag}-decl', name), '')
            part.tag = f'{TEXT}span'
    shape.set(f'{DRAW}layer', 'layout')
    return shape
