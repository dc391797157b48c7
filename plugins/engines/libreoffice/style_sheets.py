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
CALC_EXTENSIONS = '{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}'

INCHES = re.compile(r'(?<![^\s])(-?\d*\.?\d+)in(?![^\s])')

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


def text_for_uof(data):
    root = parsed(data)
    for body in root.iter(f'{OFFICE}text'):
        body[:] = unwrapped(body)
    for item in root.iter(f'{TEXT}list-item'):
        for heading in item.findall(f'{TEXT}h'):
            # It keeps its style, and its number by the list.
            heading.tag = f'{TEXT}p'
    for head in [*root.iter(f'{TEXT}list-header')]:
        head.tag = f'{TEXT}list-item'
    return ElementTree.tostring(root, encoding='utf-8', xml_declaration=True)


def unwrapped(parent):
    for child in parent:
        if child.tag in SOURCES:
            continue
        if child.tag in WRAPPERS:
            yield from unwrapped(child)
        else:
            yield child


def sheets_for_uof(data):
    root = parsed(data)
    for style in root.iter(f'{STYLE}style'):
        for condition in style.findall(f'{STYLE}map'):
            style.remove(condition)
    for table in root.iter(f'{TABLE}table'):
        for conditions in table.findall(f'{CALC_EXTENSIONS}conditional-formats'):
            table.remove(conditions)
        drop_empty_end(table)
        for row in table.iter(f'{TABLE}table-row'):
            drop_empty_cells(row)
    return ElementTree.tostring(root, encoding='utf-8', xml_declaration=True)


def drop_empty_end(parent):
    """Removes empty rows from the end. Returns whether a row with anything in it was met."""
    for child in reversed([*parent]):
        if child.tag == f'{TABLE}table-row':
            if any(map(is_filled, child)):
                return True
            parent.remove(child)
        elif child.tag in (f'{TABLE}table-rows', f'{TABLE}table-row-group', f'{TABLE}table-header-rows'):
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


def shapes_with_text(data):
    """A shape that holds text becomes a frame with that text."""
    root = parsed(data)
    for shape in root.iter(f'{DRAW}custom-shape'):
        text = [child for child in shape if child.tag.startswith(TEXT)]
        if not any(''.join(part.itertext()).strip() for part in text):
            continue
        box = ElementTree.Element(f'{DRAW}text-box')
        box.extend(text)
        shape.tag = f'{DRAW}frame'
        shape[:] = [box]
    return ElementTree.tostring(root, encoding='utf-8', xml_declaration=True)


def text_for_word(data):
    """Spans in spans stand side by side: the sheet does not look into the inner ones, and their text would be lost."""
    register_prefixes(data)
    root = ElementTree.fromstring(data)
    for parent in [*root.iter()]:
        if parent.tag != SPAN and any(child.tag == SPAN for child in parent):
            parent[:] = [piece for child in parent for piece in (side_by_side(child) if child.tag == SPAN else [child])]
    return ElementTree.tostring(root, encoding='utf-8', xml_declaration=True)


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
    'uof-slides': ('uof/odf2uof_presentation.xsl', shapes_with_text),
    'word-2003': ('wordml/ooo2wordml.xsl', text_for_word),
    'xhtml-slides': ('xhtml/opendoc2xhtml.xsl', shapes_with_text),
}
