"""A presentation that was exported as a drawing becomes one (ODF 1.3 part 3, 3.8 and 3.10).

The export leaves a package that says it is a presentation, and masters whose placeholders a drawing shows on every page:
"Click to edit Master title style". What slides show of their master's footer, date and number stays.
"""

import io
import re
import zipfile

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
