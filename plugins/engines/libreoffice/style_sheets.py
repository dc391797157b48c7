"""Prepares flat OpenDocument for the office's own style sheets to UOF, the Chinese office format, XHTML and Word 2003.

The sheets pass over whatever they do not expect without a word: sections, indexes, headings in lists, shapes. And they walk
repeated rows and lists of conditions by calling themselves, deeper than their interpreter allows. What leaves here holds
the same text in the places where they look. In and out: bytes of flat OpenDocument (ODF 1.3 part 3, 3.1.2).
"""

import io
import re
import xml.etree.ElementTree as ElementTree

NAME = 'urn:oasis:names:tc:opendocument:xmlns:'
TEXT = f'{{{NAME}text:1.0}}'
TABLE = f'{{{NAME}table:1.0}}'
DRAW = f'{{{NAME}drawing:1.0}}'
STYLE = f'{{{NAME}style:1.0}}'
SPAN = f'{TEXT}span'
OFFICE = f'{{{NAME}office:1.0}}'
SVG = f'{{{NAME}svg-compatible:1.0}}'
PRESENTATION = f'{{{NAME}presentation:1.0}}'
PARAGRAPH = f'{TEXT}p'
HEADING = f'{TEXT}h'
LIST = f'{TEXT}list'
TABLE_CELL = f'{TABLE}table-cell'
CALC_EXTENSIONS = '{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}'

INCHES = re.compile(r'(?<![^\s])(-?\d*\.?\d+)in(?![^\s])')

PLACE = {*(f'{SVG}{name}' for name in ('x', 'y', 'width', 'height')), f'{DRAW}transform', f'{DRAW}layer'}
# Of a table on a slide: repeated columns that it says to have.
MOST_CELLS = 1000

# Whose content stands in the text as if they were not there.
WRAPPERS = {
    f'{TEXT}{name}'
    for name in (
        'section',
        'index-body',
        'index-title',
        'illustration-index',
        'table-index',
        'object-index',
        'user-index',
        'bibliography',
        'numbered-paragraph',
    )
}
GROUP = f'{DRAW}g'
CONTENTS = f'{TEXT}table-of-content'
ROW_GROUPS = {f'{TABLE}{name}' for name in ('table-rows', 'table-row-group', 'table-header-rows')}
# Shapes that a frame with the same style looks like, or that the sheets do not draw.
LIKE_FRAMES = {f'{DRAW}{name}' for name in ('custom-shape', 'rect', 'caption', 'regular-polygon')}
SOURCES = {
    f'{TEXT}{name}-source'
    for name in ('illustration-index', 'table-index', 'object-index', 'user-index', 'bibliography')
}


def register_prefixes(data):
    """Values hold prefixes too, in formulas: they are kept as they are."""
    for prefix, address in dict(
        pair for _, pair in ElementTree.iterparse(io.BytesIO(data), events=['start-ns'])
    ).items():
        ElementTree.register_namespace(prefix, address)


def parsed(data):
    register_prefixes(data)
    root = ElementTree.fromstring(data)
    # The sheets know metric lengths; of inches they make nothing at all, a page without a size.
    for element in root.iter():
        for name, value in element.attrib.items():
            if 'in' in value and INCHES.search(value):
                element.set(name, INCHES.sub(lambda inches: f'{float(inches[1]) * 2.54:.4f}cm', value))
    return root


def written(root):
    return ElementTree.tostring(root, encoding='utf-8', xml_declaration=True)


def text_for_uof(data):
    root = parsed(data)
    for body in root.iter(f'{OFFICE}body'):
        for parent in [*body.iter()]:
            if parent.tag != GROUP and any(child.tag == GROUP for child in parent):
                parent[:] = without_groups(parent)
            lift_drawings(parent)
        for shape in [*body.iter()]:
            if shape.tag in LIKE_FRAMES and has_text(shape):
                to_frame(shape)
        for sequence in body.iter(f'{TEXT}sequence'):
            sequence.tag = SPAN
            sequence.attrib.clear()
    for body in root.iter(f'{OFFICE}text'):
        body[:] = unwrapped(body)
    # In a cell and in a note the sheet sees paragraphs and tables alone.
    for narrow in [*root.iter(TABLE_CELL), *root.iter(f'{TEXT}note-body')]:
        narrow[:] = as_paragraphs(narrow)
    for item in root.iter(f'{TEXT}list-item'):
        for heading in item.findall(HEADING):
            # It keeps its style, and its number by the list.
            heading.tag = PARAGRAPH
    for head in [*root.iter(f'{TEXT}list-header')]:
        head.tag = f'{TEXT}list-item'
    return written(root)


def unwrapped(parent):
    for child in parent:
        if child.tag in SOURCES or child.tag == f'{CONTENTS}-source':
            continue
        if child.tag in WRAPPERS or (child.tag == CONTENTS and not is_linked(child)):
            yield from unwrapped(child)
        else:
            yield child


def is_linked(contents):
    """Of a table of contents the sheet takes the links, and no entry that is none."""
    entries = contents.findall(f'{TEXT}index-body/{PARAGRAPH}')
    return all(entry.find(f'{TEXT}a') is not None for entry in entries if ''.join(entry.itertext()).strip())


def as_paragraphs(parent):
    for child in parent:
        if child.tag == LIST or child.tag in WRAPPERS or child.tag in (f'{TEXT}list-item', f'{TEXT}list-header', CONTENTS):
            yield from as_paragraphs(child)
        elif child.tag not in SOURCES:
            if child.tag == HEADING:
                child.tag = PARAGRAPH
            yield child


def lift_drawings(parent):
    """What is anchored in a heading comes into a paragraph before it."""
    for at, heading in reversed([*enumerate(parent)]):
        if heading.tag != HEADING:
            continue
        drawings = [*taken(heading)]
        if drawings:
            before = ElementTree.Element(PARAGRAPH)
            before.extend(drawings)
            parent.insert(at, before)


def taken(parent):
    """The drawings below, which leave it; the text behind them stays."""
    last = None
    for child in [*parent]:
        if not child.tag.startswith(DRAW) or child.tag == f'{DRAW}a':
            yield from taken(child)
            last = child
            continue
        after, child.tail = child.tail, None
        parent.remove(child)
        if after and last is None:
            parent.text = (parent.text or '') + after
        elif after:
            last.tail = (last.tail or '') + after
        yield child


def sheets_for_uof(data):
    root = parsed(data)
    for style in root.iter(f'{STYLE}style'):
        for condition in style.findall(f'{STYLE}map'):
            style.remove(condition)
    show_sheets(root)
    for table in root.iter(f'{TABLE}table'):
        for conditions in table.findall(f'{CALC_EXTENSIONS}conditional-formats'):
            table.remove(conditions)
        drop_empty_end(table)
        table[:] = rows_alone(table)
        for row in table.iter(f'{TABLE}table-row'):
            drop_empty_cells(row)
            for cell in row:
                one_paragraph(cell)
        for place in [*table.iter(f'{TABLE}shapes'), *table.iter(TABLE_CELL)]:
            place[:] = without_groups(place)
            for child in place:
                to_shape_of_sheet(child)
    return written(root)


def rows_alone(parent):
    for child in parent:
        if child.tag in ROW_GROUPS:
            yield from rows_alone(child)
        else:
            yield child


def show_sheets(root):
    """The sheet takes every style of a table for a hidden one but the first: those that show their table get that one."""
    styles = {
        style.get(f'{STYLE}name'): style.find(f'{STYLE}table-properties')
        for style in root.iter(f'{STYLE}style')
        if style.get(f'{STYLE}family') == 'table'
    }
    shown = {
        name for name, look in styles.items() if look is None or look.get(f'{TABLE}display', 'true') == 'true'
    }
    if 'ta1' not in shown:
        return
    for table in root.iter(f'{TABLE}table'):
        if table.get(f'{TABLE}style-name') in shown:
            table.set(f'{TABLE}style-name', 'ta1')


def one_paragraph(parent):
    """All the text of a cell, a comment or a shape in one paragraph without parts.

    Readers take the first part of a cell; of two paragraphs in a shape the sheet dies, and the office with it.
    """
    paragraphs = [child for child in parent if child.tag == PARAGRAPH]
    if paragraphs and (len(paragraphs) > 1 or len(paragraphs[0]) > 0):
        first = paragraphs[0]
        whole = '\n'.join(map(plain, paragraphs))
        links = [link for paragraph in paragraphs for link in paragraph.iter(f'{TEXT}a')]
        for paragraph in paragraphs[1:]:
            parent.remove(paragraph)
        del first[:]
        first.text = whole
        if links:
            link = ElementTree.SubElement(first, f'{TEXT}a', links[0].attrib)
            first.text, link.text = None, whole
    for comment in parent.findall(f'{OFFICE}annotation'):
        one_paragraph(comment)


def plain(element):
    """Its text, with the white space that stands in it as elements."""
    text = {f'{TEXT}tab': '\t', f'{TEXT}line-break': '\n'}.get(element.tag, element.text or '')
    if element.tag == f'{TEXT}s':
        text = ' ' * int(element.get(f'{TEXT}c', '1'))
    return text + ''.join(plain(child) + (child.tail or '') for child in element)


def to_shape_of_sheet(shape):
    if not shape.tag.startswith(DRAW) or not has_text(shape):
        return
    box = shape.find(f'{DRAW}text-box')
    if box is not None or shape.tag in LIKE_FRAMES:
        shape.tag = f'{DRAW}rect'
        shape[:] = (shape if box is None else box).iter(PARAGRAPH)
    one_paragraph(shape)


def drop_empty_end(parent):
    """Removes empty rows from the end. Returns whether a row with anything in it was met."""
    for child in reversed([*parent]):
        if child.tag == f'{TABLE}table-row':
            if any(map(is_filled, child)):
                return True
            parent.remove(child)
        elif child.tag in ROW_GROUPS:
            if drop_empty_end(child):
                return True
            parent.remove(child)
    return False


def drop_empty_cells(row):
    for cell in reversed([*row]):
        if is_filled(cell):
            return
        row.remove(cell)


def is_filled(cell):
    return len(cell) > 0 or f'{OFFICE}value-type' in cell.attrib or f'{TABLE}formula' in cell.attrib


def has_text(shape):
    return any(''.join(part.itertext()).strip() for part in shape.iter(PARAGRAPH))


def without_groups(parent, wrappers=(GROUP,)):
    """Shapes of groups, and of links, which the sheets lose, stand for themselves: their places are those on the page."""
    for child in parent:
        if child.tag in wrappers:
            anchors = {name: value for name, value in child.attrib.items() if name.startswith(f'{TEXT}anchor')}
            inside = [part for part in without_groups(child, wrappers) if part.tag.startswith(DRAW)]
            for part in inside:
                part.attrib.update(anchors)
            if inside:
                inside[-1].tail = child.tail
            yield from inside
        else:
            yield child


def to_frame(shape):
    """A shape that holds text becomes a frame with that text."""
    text = [child for child in shape if child.tag.startswith(TEXT)]
    box = ElementTree.Element(f'{DRAW}text-box')
    box.extend(text)
    shape.tag = f'{DRAW}frame'
    shape[:] = [box]


def shapes_with_text(data):
    root = parsed(data)
    for page in [*root.iter(f'{DRAW}page'), *root.iter(f'{PRESENTATION}notes')]:
        page[:] = [part for shape in without_groups(page) for part in text_frames(shape, root)]
    return written(root)


def slides_for_uof(data):
    root = parsed(data)
    for page in [*root.iter(f'{DRAW}page'), *root.iter(f'{PRESENTATION}notes')]:
        page[:] = [part for shape in without_groups(page, (GROUP, f'{DRAW}a')) for part in frames_of(shape, root)]
    for box in root.iter(f'{DRAW}text-box'):
        for item in box.iter(f'{TEXT}list-item'):
            for heading in item.findall(HEADING):
                heading.tag = PARAGRAPH
        box[:] = [part for child in box for part in (without_headers(child) if child.tag == LIST else [child])]
    return written(root)


def frames_of(shape, root):
    table = shape.find(f'{TABLE}table')
    return text_frames(shape, root) if table is None else [*cells_as_frames(shape, table, root)]


def text_frames(shape, root):
    """The shape as such that the sheets take with all their text."""
    if not shape.tag.startswith(DRAW):
        return [shape]
    picture = shape.find(f'{DRAW}image')
    holder = shape if picture is None else picture
    text = [child for child in holder if child.tag.startswith(TEXT)]
    if not any(''.join(part.itertext()).strip() for part in text):
        return [shape]
    if shape.tag in LIKE_FRAMES:
        to_frame(shape)
        return [shape]
    for part in text:
        holder.remove(part)
    place = {name: value for name, value in shape.attrib.items() if name in PLACE}
    if f'{SVG}x1' in shape.attrib:
        for side, length in (('x', 'width'), ('y', 'height')):
            ends = [centimetres(shape.get(f'{SVG}{side}{end}', '0cm')) for end in '12']
            place[f'{SVG}{side}'] = f'{min(ends):.3f}cm'
            place[f'{SVG}{length}'] = f'{abs(ends[0] - ends[1]):.3f}cm'
    return [shape, frame_at(place, graphic_style(root, 'TextAlone', {'stroke': 'none', 'fill': 'none'}), text)]


def frame_at(place, style, text):
    frame = ElementTree.Element(f'{DRAW}frame', {**place, f'{DRAW}style-name': style})
    # The sheet to XHTML writes frames twice that stand without a space between them.
    frame.tail = '\n'
    ElementTree.SubElement(frame, f'{DRAW}text-box').extend(text)
    return frame


def graphic_style(root, name, look):
    """The name of an automatic style for shapes, which is made when it is first asked for."""
    styles = root.find(f'{OFFICE}automatic-styles')
    if all(style.get(f'{STYLE}name') != name for style in styles):
        style = ElementTree.SubElement(styles, f'{STYLE}style', {f'{STYLE}name': name, f'{STYLE}family': 'graphic'})
        properties = {f'{DRAW}{what}': value for what, value in look.items()}
        ElementTree.SubElement(style, f'{STYLE}graphic-properties', properties)
    return name


LENGTH = re.compile(r'(-?\d*\.?\d+)(cm|mm|pt|in)')
IN_CENTIMETRES = {'cm': 1, 'mm': 0.1, 'pt': 2.54 / 72, 'in': 2.54}


def centimetres(length):
    found = LENGTH.fullmatch(length or '')
    return float(found[1]) * IN_CENTIMETRES[found[2]] if found else 0


def cells_as_frames(frame, table, root):
    """A table on a slide, of which the sheet knows nothing, as a frame for each of its cells."""
    look = {style.get(f'{STYLE}name'): style for style in root.iter(f'{STYLE}style')}

    def size(part, kind, *names):
        style = look.get(part.get(f'{TABLE}style-name'))
        properties = None if style is None else style.find(f'{STYLE}table-{kind}-properties')
        return max((centimetres(properties.get(f'{STYLE}{name}')) for name in names), default=0) if properties is not None else 0

    columns = [
        size(column, 'column', 'column-width')
        for column in table.iter(f'{TABLE}table-column')
        for _ in range(min(int(column.get(f'{TABLE}number-columns-repeated', '1')), MOST_CELLS))
    ]
    rows = [*table.iter(f'{TABLE}table-row')]
    lefts = edges(columns, frame, 'x', 'width')
    tops = edges([size(row, 'row', 'row-height', 'min-row-height') for row in rows], frame, 'y', 'height')
    for at, row in enumerate(rows):
        column = 0
        for cell in row:
            left = min(column, len(lefts) - 1)
            column += min(int(cell.get(f'{TABLE}number-columns-repeated', '1')), MOST_CELLS)
            if cell.tag != TABLE_CELL:
                continue
            right = min(left + int(cell.get(f'{TABLE}number-columns-spanned', '1')), len(lefts) - 1)
            bottom = min(at + int(cell.get(f'{TABLE}number-rows-spanned', '1')), len(tops) - 1)
            place = {
                f'{SVG}x': f'{lefts[left]:.3f}cm',
                f'{SVG}y': f'{tops[at]:.3f}cm',
                f'{SVG}width': f'{lefts[right] - lefts[left]:.3f}cm',
                f'{SVG}height': f'{tops[bottom] - tops[at]:.3f}cm',
            }
            style = graphic_style(root, 'CellAlone', {'stroke': 'solid', 'fill': 'none'})
            yield frame_at(place, style, [*cell])


def edges(sizes, frame, start, length):
    """Where columns or rows begin and the last ends, in cm. Without sizes they share that of the frame."""
    if not all(sizes):
        sizes = [centimetres(frame.get(f'{SVG}{length}')) / len(sizes)] * len(sizes)
    found = [centimetres(frame.get(f'{SVG}{start}'))]
    for size in sizes:
        found.append(found[-1] + size)
    return found


def without_headers(items):
    """A list, and what stands in it without a bullet as paragraphs between its parts: of such the sheets know nothing."""
    if next(items.iter(f'{TEXT}list-header'), None) is None:
        return [items]
    parts = []

    def with_part(part):
        if part.tag != LIST:
            parts.append(part)
            return
        around = ElementTree.Element(LIST, items.attrib)
        ElementTree.SubElement(around, f'{TEXT}list-item').append(part)
        parts.append(around)

    for item in items:
        for child in item:
            if child.tag == LIST:
                for part in without_headers(child):
                    with_part(part)
            elif item.tag == f'{TEXT}list-header':
                parts.append(child)
            else:
                around = ElementTree.Element(LIST, items.attrib)
                ElementTree.SubElement(around, f'{TEXT}list-item').append(child)
                parts.append(around)
    return parts


def text_for_word(data):
    """Spans in spans stand side by side: the sheet does not look into the inner ones, and their text would be lost."""
    register_prefixes(data)
    root = ElementTree.fromstring(data)
    for parent in [*root.iter()]:
        if parent.tag != SPAN and any(child.tag == SPAN for child in parent):
            parent[:] = [piece for child in parent for piece in (side_by_side(child) if child.tag == SPAN else [child])]
    return written(root)


def side_by_side(span):
    """The span as several without one inside; what follows it follows the last."""
    pieces = [span]
    tail, span.tail = span.tail, None
    children = [*span]
    del span[:]
    for child in children:
        if child.tag != SPAN:
            pieces[-1].append(child)
            continue
        after, child.tail = child.tail, None
        pieces += side_by_side(child)
        rest = ElementTree.Element(SPAN, span.attrib)
        rest.text = after
        pieces.append(rest)
    whole = [piece for piece in pieces if piece.text or len(piece) > 0] or [span]
    whole[-1].tail = tail
    return whole


# By the name that a request gives: the style sheet, and what is done before.
SHEETS = {
    'uof-text': ('uof/odf2uof_text.xsl', text_for_uof),
    'uof-sheets': ('uof/odf2uof_spreadsheet.xsl', sheets_for_uof),
    'uof-slides': ('uof/odf2uof_presentation.xsl', slides_for_uof),
    'word-2003': ('wordml/ooo2wordml.xsl', text_for_word),
    'xhtml-slides': ('xhtml/opendoc2xhtml.xsl', shapes_with_text),
}
