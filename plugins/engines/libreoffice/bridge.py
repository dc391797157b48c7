"""Drives one LibreOffice process for one factory.

In: argv[1], JSON: program, profile (folder), scratch (folder), pipe (name), addressSpace (bytes, 0: unlimited),
bootSeconds, arguments (of the office). Then requests on stdin. Out: replies on stdout. A frame is two big-endian
uint32 (length of the JSON head, length of the payload), the head, the payload. The first frame out says what was
started. User, network and files were taken away before: see origin/processes/confine.pl.

One request at a time. The office is a child in the same process group, so that one signal to the group ends both;
when the office ends, this process ends too, and when its parent or stdin goes away, both do. Documents travel as
streams inside the UNO connection: nothing is written to disk here.
"""

import ctypes
import io
import json
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

import uno
import unohelper
from com.sun.star.beans import NamedValue, PropertyValue
from com.sun.star.io import XOutputStream, XStreamListener
from com.sun.star.task import XInteractionHandler
from com.sun.star.xml.sax import InputSource

# An isolated Python does not look beside its script.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import drawings  # noqa: E402
import style_sheets  # noqa: E402

PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
# Exit statuses, read by bridge-unit.ts.
EXIT_OFFICE_GONE = 70
EXIT_NO_OFFICE = 71
# The office asks for a second start after it has put its extensions in order.
OFFICE_WANTS_RESTART = 81

ODF_OFFICE = b'urn:oasis:names:tc:opendocument:xmlns:office:1.0'
# The place a document is said to come from. The office trusts what is private to it, and loads whatever such a document
# names; of a place that nobody has listed as trusted it refuses every link (BlockUntrustedRefererLinks).
HOST = 'https://document.invalid/'
# So many folders deep that links that lead out of some of them, `../a`, are told from those of the root, `/a`.
DEPTH = 8
UNTRUSTED = HOST + '~/' * DEPTH
# The same without a host. LibreOffice 25.2 asks a host for the document although it has been given the bytes, and gives up.
# LibreOffice 7.4 makes links of a PDF relative to a host only, so both are needed.
UNTRUSTED_WITHOUT_HOST = 'https:'
PLACE = HOST.encode()
# Exports of files without a package, and of XLSX and EPUB.
DROPS_PRIVATE = re.compile(r'^(?:Calc MS Excel 2007 XML|EPUB|DocBook File)$|Flat XML$|^XHTML ')
ELSEWHERE = 'private:elsewhere'
WORD_97 = 'MS Word 97'
# The address of a place in a link, as an office writes it: absolute, relative with more folders than documents are deep, or
# with the scheme of a private place.
PLACE_WITH_HOST = re.escape(PLACE) + rb'((?:~/)*)'
OTHER_PLACE = rb'(?:\.\./){' + str(DEPTH).encode() + rb'}(?!\.\./)|private:/'
PLACE_IN_TEXT = re.compile(PLACE_WITH_HOST + rb'|(?<=["\'>\s(;])(?:' + OTHER_PLACE + rb')')
PLACE_IN_PDF = re.compile(rb'(?<=\()(?:' + PLACE_WITH_HOST + rb'|' + OTHER_PLACE + rb')((?:[^()\\]|\\.)*)\)')
PLACE_IN_ADDRESS = re.compile(rb'^(?:' + PLACE_WITH_HOST + rb'|' + OTHER_PLACE + rb')')
OASIS_TO_OOO = 'com.sun.star.comp.Oasis2OOoTransformer'
XSLT = 'com.sun.star.comp.documentconversion.LibXSLTTransformer'

MOST_PICTURE_BYTES = 2**30
libc = ctypes.CDLL(None, use_errno=True)


def follow_parent_to_death():
    """The kernel kills this process when its parent dies, however that happens. Linux only; stdin covers the rest."""
    if sys.platform == 'linux':
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


class Channel:
    """Frames over two file descriptors."""

    def __init__(self, source, target):
        self.source = source
        self.target = target

    def read(self):
        head = self._exactly(8)
        if head is None:
            return None
        head_size, payload_size = struct.unpack('>II', head)
        head = self._exactly(head_size)
        payload = self._exactly(payload_size)
        if head is None or payload is None:
            return None
        return json.loads(head), payload

    def _exactly(self, size):
        data = self.source.read(size)
        return data if len(data) == size else None

    def write(self, head, parts=()):
        encoded = json.dumps(head).encode()
        self.target.write(struct.pack('>II', len(encoded), sum(len(part) for part in parts)))
        self.target.write(encoded)
        for part in parts:
            self.target.write(part)
        self.target.flush()


def prop(name, value):
    item = PropertyValue()
    item.Name = name
    item.Value = value
    return item


def properties(values):
    """A plain object as a sequence of properties; objects inside it become typed sequences."""
    return tuple(prop(name, typed(value)) for name, value in values.items())


def typed(value):
    if isinstance(value, dict):
        return uno.Any('[]com.sun.star.beans.PropertyValue', properties(value))
    return value


class Output(unohelper.Base, XOutputStream):
    """Collects what the office writes."""

    def __init__(self):
        self.parts = []

    def writeBytes(self, data):
        self.parts.append(data.value)

    def flush(self):
        pass

    def closeOutput(self):
        pass


class End(unohelper.Base, XStreamListener):
    """Waits for a component that works on a thread of its own."""

    def __init__(self):
        self.came = threading.Event()
        self.failed = False

    def started(self):
        pass

    def closed(self):
        self.came.set()

    def terminated(self):
        self.failed = True
        self.came.set()

    def error(self, _):
        self.failed = True
        self.came.set()

    def disposing(self, _):
        self.came.set()


class Refusal(unohelper.Base, XInteractionHandler):
    """Answers every question of the office with "abort", and remembers whether a password was asked for."""

    def __init__(self):
        self.password_wanted = False

    def handle(self, request):
        # What is asked is told from the answers that are offered: pyuno cannot read some of the questions themselves.
        abort = None
        for choice in request.getContinuations():
            if offers(choice, 'XInteractionPassword'):
                self.password_wanted = True
            if offers(choice, 'XInteractionAbort'):
                abort = choice
        if abort is not None:
            abort.select()


def offers(choice, name):
    return choice.queryInterface(uno.getTypeByName(f'com.sun.star.task.{name}')) is not None


class Declined(Exception):
    """The document, not the office, is the reason: kind is 'password', 'document' or 'failed'."""

    def __init__(self, kind, because):
        super().__init__(because)
        self.kind = kind
        self.because = because


class Office:
    def __init__(self, config):
        self.config = config
        self.ending = False
        self.process = None
        self.context = None
        self.desktop = None
        self.place = None  # where documents are said to come from, once one was loaded

    def start(self):
        deadline = time.monotonic() + self.config['bootSeconds']
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext('com.sun.star.bridge.UnoUrlResolver', local)
        address = f"uno:pipe,name={self.config['pipe']};urp;StarOffice.ComponentContext"
        self.spawn()
        while True:
            try:
                self.context = resolver.resolve(address)
                break
            except Exception:  # noqa: BLE001 - pyuno raises what the office raises; none of it matters before the end
                status = self.process.poll()
                if status == OFFICE_WANTS_RESTART:
                    self.spawn()
                elif status is not None:
                    raise RuntimeError(f'exit status {status}') from None
                if time.monotonic() > deadline:
                    raise RuntimeError('no answer') from None
                time.sleep(0.02)
        self.services = self.context.ServiceManager
        self.desktop = self.create('com.sun.star.frame.Desktop')
        threading.Thread(target=self.wait_for_end, daemon=True).start()

    def spawn(self):
        accept = f"--accept=pipe,name={self.config['pipe']};urp;StarOffice.ComponentContext"
        self.process = self.run([*self.command(self.config['profile']), '--invisible', '--nodefault', accept])

    def command(self, profile):
        return [
            self.config['program'],
            '--headless',
            '--nofirststartwizard',
            '--nolockcheck',
            '--nologo',
            '--norestore',
            f'-env:UserInstallation={unohelper.systemPathToFileUrl(profile)}',
            *self.config['arguments'],
        ]

    def run(self, command):
        space = self.config['addressSpace']

        def before_exec():
            follow_parent_to_death()
            if sys.platform == 'linux':
                libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if space:
                resource.setrlimit(resource.RLIMIT_AS, (space, space))

        return subprocess.Popen(
            command,
            cwd=self.config['scratch'],
            # /proc is out of reach, and without it the loader does not find the libraries beside the program.
            env={**os.environ, 'LD_LIBRARY_PATH': os.path.dirname(self.config['program'])},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=before_exec,
        )

    def wait_for_end(self):
        self.process.wait()
        if not self.ending:
            os._exit(EXIT_OFFICE_GONE)

    def create(self, name, *arguments):
        if arguments:
            return self.services.createInstanceWithArgumentsAndContext(name, arguments, self.context)
        return self.services.createInstanceWithContext(name, self.context)

    def stop(self):
        self.ending = True
        try:
            self.desktop.terminate()
            self.process.wait(3)
        except Exception:  # noqa: BLE001 - the connection breaks while the office goes; the group is killed next
            pass

    def ping(self):
        self.desktop.getCurrentFrame()

    def convert_cold(self, request, source):
        """A second office beside this one, for one document, driven by its command line: some documents bring an office
        down that is driven over UNO and none that loads them on its main thread."""
        # The factory that removes the socket of this office knows its name from this path.
        folder = os.path.join(self.config['scratch'], 'cold')
        os.mkdir(folder)
        try:
            profile = os.path.join(folder, 'profile')
            shutil.copytree(self.config['profile'], profile, ignore=shutil.ignore_patterns('.lock'))
            path = os.path.join(folder, 'document')
            with open(path, 'wb') as file:
                file.write(source)
            command = [
                *self.command(profile),
                *request['cold']['input'],
                '--convert-to',
                f"out:{request['cold']['output']}",
                '--outdir',
                os.path.join(folder, 'made'),
                path,
            ]
            self.run(command).wait()
            try:
                with open(os.path.join(folder, 'made', 'document.out'), 'rb') as file:
                    return [file.read()]
            except OSError:
                raise Declined('failed', 'the export stopped with an error') from None
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def convert(self, request, source):
        document = self.load(request, source)
        try:
            if request.get('place'):
                document.attachResource(request['place'], document.getArgs())
            counted = {}
            if request.get('refresh'):
                refresh(document)
                counted['emptyContents'] = count_empty_contents(document)
            if request.get('masters'):
                document = self.with_masters(document)
            if request['store'].get('FilterName') == 'writer_pdf_Export':
                style_links(document)
            if request['store'].get('FilterName') == WORD_97:
                links_without_place(document)
            if request.get('countPages'):
                counted['pages'] = count_pages(document)
            if request.get('countLost'):
                counted.update(count_lost(document))
            if request.get('shapeFrom'):
                self.complete_size(document, request)
            if request.get('eachPage'):
                return self.store_pages(document, request), counted
            return [self.store(document, request)], counted
        finally:
            close(document)

    def with_masters(self, document):
        """The document, or one like it whose pages hold what stands on their masters."""
        kind = 'Presentation' if document.supportsService('com.sun.star.presentation.PresentationDocument') else 'Drawing'
        name = f'OpenDocument {kind} Flat XML'
        flat = drawings.with_masters(b''.join(self.store(document, {'store': {'FilterName': name}})))
        if flat is None:
            return document
        close(document)
        return self.load({'load': {'FilterName': name}}, flat)

    def store_pages(self, document, request):
        """One file for each page or slide of a drawing program, which are handed to the filter one by one."""
        files = []
        size = 0
        for file in self.each_page(document, request):
            files.append(file)
            size += sum(len(part) for part in file)
            if size > MOST_PICTURE_BYTES:
                raise Declined('failed', f'its pages are more than {MOST_PICTURE_BYTES >> 20} MB of pictures')
        return files

    def each_page(self, document, request):
        slides = document.getDrawPages()
        data = request['store'].get('FilterData', {})
        for at in range(slides.getCount()):
            yield self.store_slide(slides.getByIndex(at), request['eachPage'], data)

    def store_slide(self, slide, media_type, data):
        output = Output()
        try:
            export = self.create('com.sun.star.drawing.GraphicExportFilter')
            export.setSourceDocument(slide)
            done = export.filter(properties({'MediaType': media_type, 'OutputStream': output, 'FilterData': data}))
        except Exception as error:  # noqa: BLE001
            self.check_alive(error)
            done = False
        if not done or not any(output.parts):
            raise Declined('failed', 'the export stopped with an error')
        return output.parts

    def load(self, request, source):
        refusal = Refusal()
        stored = request.get('store', {}).get('FilterName', '')
        values = {
            'Hidden': True,
            'ReadOnly': not request.get('refresh'),
            'MacroExecutionMode': 0,  # NEVER_EXECUTE
            'UpdateDocMode': 0,  # NO_UPDATE
            # Relative addresses are resolved against this one where the office makes them absolute. The reader of Open XML
            # always does; of OpenDocument and HTML it keeps what a private place has, which some exports drop.
            'DocumentBaseURL': UNTRUSTED if is_open_xml(source) or DROPS_PRIVATE.search(stored) else 'private:stream',
            'InteractionHandler': refusal,
            **request['load'],
        }
        try:
            document = self.load_untrusted(values, source)
        except Exception as error:  # noqa: BLE001
            self.check_alive(error)
            raise self.unreadable(refusal) from None
        if document is None:
            raise self.unreadable(refusal)
        wanted = request.get('service')
        if wanted and not document.supportsService(wanted):
            close(document)
            raise Declined('document', 'its content is of another format')
        return document

    def load_untrusted(self, values, source):
        """The document, as one from a place that nobody trusts. The first that loads shows which place this version takes."""
        places = (UNTRUSTED, UNTRUSTED_WITHOUT_HOST) if self.place is None else (self.place,)
        for place in places:
            # Type detection and several import filters go back and forth in the stream; this one can.
            stream = self.create('com.sun.star.io.SequenceInputStream', uno.ByteSequence(source))
            given = properties({**values, 'InputStream': stream})
            document = self.desktop.loadComponentFromURL(place, '_blank', 0, given)
            if document is not None:
                self.place = place
                return document
        return None

    def unreadable(self, refusal):
        if refusal.password_wanted:
            return Declined('password', 'it is protected with a password')
        return Declined('document', 'it is damaged or not of this type')

    def store(self, document, request):
        output = Output()
        # The export of HTML would make addresses of this place begin with a slash. Those of a place with another scheme it
        # keeps, and `without_place` takes the place away.
        # That of DOC would take the scheme of links to any host away, where it is the scheme of this place.
        filter_name = request['store'].get('FilterName', '')
        base = ELSEWHERE if filter_name.startswith('HTML') or filter_name == WORD_97 else UNTRUSTED
        values = {**request['store'], 'InteractionHandler': Refusal(), 'DocumentBaseURL': base}
        try:
            if request.get('asFile'):
                output.parts = self.store_as_file(document, values)
            else:
                document.storeToURL('private:stream', properties({**values, 'OutputStream': output}))
        except Exception as error:  # noqa: BLE001
            self.check_alive(error)
            raise Declined('failed', 'the export stopped with an error') from None
        if not any(output.parts):
            raise Declined('failed', 'the export wrote nothing')
        if request.get('classic'):
            return [self.to_classic(without_place(b''.join(output.parts)), request['classic'])]
        parts = output.parts
        if request.get('sheet'):
            parts = self.apply_sheet(b''.join(parts), request['sheet'])
        if request.get('drawing'):
            return [drawings.as_drawing(b''.join(parts))]
        if request.get('edits'):
            return [edited(without_place(b''.join(parts)), request['edits'])]
        if request.get('sheet'):
            return [without_place(b''.join(parts))]
        if values.get('FilterName') == 'MS Word 2007 XML':
            return [corrected_text(b''.join(output.parts))]
        if values.get('FilterName') == 'EPUB':
            return [corrected_book(b''.join(output.parts))]
        return [without_place(b''.join(output.parts))]

    def apply_sheet(self, flat, name):
        """A style sheet of the office, with its input put right before."""
        path, clean = style_sheets.SHEETS[name]
        sheet = os.path.join(os.path.dirname(os.path.dirname(self.config['program'])), 'share', 'xslt', 'export', path)
        arguments = NamedValue('StylesheetURL', unohelper.systemPathToFileUrl(sheet))
        transformer = uno.invoke(
            self.services, 'createInstanceWithArgumentsAndContext', (XSLT, (arguments,), self.context)
        )
        output, end = Output(), End()
        transformer.setInputStream(
            self.create('com.sun.star.io.SequenceInputStream', uno.ByteSequence(clean(flat)))
        )
        transformer.setOutputStream(output)
        transformer.addListener(end)
        transformer.start()
        end.came.wait()
        if end.failed or not any(output.parts):
            raise Declined('failed', 'the export stopped with an error')
        return output.parts

    def to_classic(self, package, wanted):
        """An OpenDocument package in the format of OpenOffice.org 1, from which OpenDocument was made: the office still has
        the translation of its XML, and no filter that would use it."""
        source = zipfile.ZipFile(io.BytesIO(package))
        made = io.BytesIO()
        with zipfile.ZipFile(made, 'w', zipfile.ZIP_DEFLATED) as target:
            target.writestr('mimetype', wanted['mime'], zipfile.ZIP_STORED)
            for name in source.namelist():
                if name.endswith('/') or name.startswith(('mimetype', 'manifest.rdf', 'Configurations2', 'Thumbnails')):
                    continue
                data = source.read(name)
                if name == 'META-INF/manifest.xml':
                    data = classic_manifest(data, wanted['mime'])
                elif name.endswith('.xml') and ODF_OFFICE in data:
                    data = self.translate(data)
                    # Only the document's own parts name a class; a chart inside it is one of its own.
                    kind = wanted['class'] if '/' not in name else 'chart'
                    data = data.replace(b' office:version="', f' office:class="{kind}" office:version="'.encode(), 1)
                target.writestr(name, data)
        return made.getvalue()

    def translate(self, data):
        writer = self.create('com.sun.star.xml.sax.Writer')
        output = Output()
        writer.setOutputStream(output)
        handler = uno.Any('com.sun.star.xml.sax.XDocumentHandler', writer)
        # pyuno would hand over any object as a plain interface, which the translation does not take.
        create = 'createInstanceWithArgumentsAndContext'
        translation = uno.invoke(self.services, create, (OASIS_TO_OOO, (handler,), self.context))
        parser = self.create('com.sun.star.xml.sax.Parser')
        parser.setDocumentHandler(translation)
        source = InputSource()
        source.aInputStream = self.create('com.sun.star.io.SequenceInputStream', uno.ByteSequence(data))
        parser.parseStream(source)
        return re.sub(rb' office:version="[^"]*"', b' office:version="1.0"', b''.join(output.parts), count=1)

    def complete_size(self, document, request):
        """The picture filters take no notice of one side alone: the other follows from the shape of the page."""
        shape = self.store(document, {'store': {'FilterName': request['shapeFrom']}})
        width, height = struct.unpack('>II', b''.join(shape)[16:24])
        data = request['store']['FilterData']
        if 'PixelWidth' in data:
            data['PixelHeight'] = max(1, round(data['PixelWidth'] * height / width))
        else:
            data['PixelWidth'] = max(1, round(data['PixelHeight'] * width / height))

    def store_as_file(self, document, values):
        with tempfile.TemporaryDirectory(dir=self.config['scratch']) as folder:
            path = os.path.join(folder, 'output')
            document.storeToURL(unohelper.systemPathToFileUrl(path), properties(values))
            with open(path, 'rb') as file:
                return [file.read()]

    def check_alive(self, error):
        """A call that fails because the office went away is no fault of the document."""
        name = type(error).__name__
        if name in ('DisposedException', 'BridgeException') or self.process.poll() is not None:
            os._exit(EXIT_OFFICE_GONE)
        try:
            self.ping()
        except Exception:  # noqa: BLE001
            os._exit(EXIT_OFFICE_GONE)


def classic_manifest(data, mime):
    text = data.decode()
    text = re.sub(r'<manifest:file-entry[^>]*manifest:full-path="(?:Configurations2|Thumbnails|manifest.rdf)[^>]*/>', '', text)
    text = re.sub(r' manifest:version="[^"]*"', '', text)
    text = re.sub(r'application/vnd\.oasis\.opendocument\.(?=[\w-]+"/>)', 'application/vnd.sun.xml.', text)
    text = re.sub(r'(<manifest:file-entry manifest:full-path="/" manifest:media-type=")[^"]*', rf'\g<1>{mime}', text)
    return text.replace('urn:oasis:names:tc:opendocument:xmlns:manifest:1.0', 'http://openoffice.org/2001/manifest').encode()


def edited(package, edits):
    """A package with some of its parts changed: each edit names a part, what to look for (an expression) and what comes there.

    What is no package is a part without a name.
    """
    if not package.startswith(b'PK'):
        for edit in edits:
            package = re.sub(edit['from'].encode(), edit['to'].encode(), package)
        return package
    source = zipfile.ZipFile(io.BytesIO(package))
    made = io.BytesIO()
    with zipfile.ZipFile(made, 'w') as target:
        for entry in source.infolist():
            data = source.read(entry)
            for edit in edits:
                if edit['part'] == entry.filename:
                    data = re.sub(edit['from'].encode(), edit['to'].encode(), data)
            target.writestr(entry.filename, data, entry.compress_type)
    return made.getvalue()


LINKED = re.compile(rb'(<wps:linkedTxbx id=")(\d+)(")')


def corrected_text(package):
    """What the export of DOCX writes wrong: the places of linked text boxes, and that of the document in its links."""
    with zipfile.ZipFile(io.BytesIO(package)) as source:
        data = with_linked_boxes(source.read('word/document.xml'))
    return package_without_place(package, {} if data is None else {'word/document.xml': data})


# The parts of packages that hold addresses: those of OpenDocument, relationships, and fields of Word.
WITH_ADDRESSES = re.compile(r'(?:^|/)(?:content\.xml|styles\.xml|document\.xml|[^/]*\.rels)$')


def package_without_place(package, changed):
    """The package with other parts (`changed`, by name), and without the place of the document in its links."""
    with zipfile.ZipFile(io.BytesIO(package)) as source:
        for name in source.namelist():
            if not WITH_ADDRESSES.search(name):
                continue
            data = changed.get(name) or source.read(name)
            if PLACE_IN_TEXT.search(data):
                changed[name] = PLACE_IN_TEXT.sub(way_from_place, data)
        if not changed:
            return package
        made = io.BytesIO()
        with zipfile.ZipFile(made, 'w') as target:
            for entry in source.infolist():
                data = changed.get(entry.filename)
                target.writestr(entry.filename, source.read(entry) if data is None else data, entry.compress_type)
        return made.getvalue()


RULE = re.compile(rb'\.([\w-]+)\s*\{([^}]*)\}')
DIRECTION = re.compile(rb'\bdirection:\s*(\w+)\s*;?\s*')


def corrected_book(package):
    """What the export of EPUB writes against its rules: directions in style sheets (EPUB 3.2, 4.3: they belong to the
    elements), and pages without a title."""
    with zipfile.ZipFile(io.BytesIO(package)) as source:
        parts = {name: source.read(name) for name in source.namelist()}
        turned = set()
        for name, data in parts.items():
            if not name.endswith('.css'):
                continue
            turned |= {kind for kind, rule in RULE.findall(data) if b'rtl' in DIRECTION.findall(rule)}
            parts[name] = DIRECTION.sub(b'', data)
        title = re.search(rb'<dc:title[^>]*>([^<]+)<', b''.join(data for name, data in parts.items() if name.endswith('.opf')))
        head = b'<head><title>' + (title[1].strip() if title else b'Text') + b'</title>'
        for name, data in parts.items():
            if not name.endswith('.xhtml'):
                continue
            if b'<title' not in data:
                data = data.replace(b'<head/>', b'<head></head>', 1).replace(b'<head>', head, 1)
            if turned:
                data = re.sub(rb'<(?:p|h[1-6]|div|li|td) class="([\w-]+)"', lambda tag: tag[0] + (b' dir="rtl"' if tag[1] in turned else b''), data)
            parts[name] = data
        made = io.BytesIO()
        with zipfile.ZipFile(made, 'w') as target:
            for entry in source.infolist():
                target.writestr(entry.filename, parts[entry.filename], entry.compress_type)
        return made.getvalue()


def with_linked_boxes(data):
    """Text boxes that a text goes on in must name the box where it begins; the export numbers them apart. None without any."""
    if b'<wps:linkedTxbx' not in data:
        return None
    heads = sorted({int(number) for number in re.findall(rb'<wps:txbx id="(\d+)"', data)})
    links = sorted({int(number) for _, number, _ in LINKED.findall(data)})
    if len(heads) != len(links):
        return None
    head = dict(zip(links, heads))
    return LINKED.sub(lambda link: link[1] + str(head[int(link[2])]).encode() + link[3], data)


def is_open_xml(file):
    return file[:2] == b'PK' and b'[Content_Types].xml' in file


def without_place(file):
    """Links to files stay as the document has them: the office writes the place it was given in front of those that are
    relative. Offsets in a PDF stay right, since blanks may follow a string (ISO 32000-1, 7.2.2)."""
    if file[:4] == b'PK\3\4':
        return package_without_place(file, {})
    if file.startswith(b'%PDF-'):
        return PLACE_IN_PDF.sub(link_in_pdf, file)
    return PLACE_IN_TEXT.sub(way_from_place, file) if file[:1] in (b'<', b'{') else file


def way_from_place(link):
    """What the document has in front of the rest of a link: nothing, `../` for each folder that is left, or `/`."""
    folders = link[1]
    return b'../' * (DEPTH - folders.count(b'~')) if folders else b'/'


def link_in_pdf(link):
    shorter = way_from_place(link) + link[2] + b')'
    return shorter + b' ' * (len(link[0]) - len(shorter))


def refresh(document):
    """Recomputes formulas, fields, indexes and page counts. Indexes go last and twice: a longer one moves pages."""
    if hasattr(document, 'calculateAll'):
        document.calculateAll()
    fields = getattr(document, 'getTextFields', None)
    if fields is not None:
        fields().refresh()
    if hasattr(document, 'refresh'):
        document.refresh()
    indexes = getattr(document, 'getDocumentIndexes', None)
    if indexes is not None:
        found = indexes()
        for _ in range(2):
            for position in range(found.getCount()):
                found.getByIndex(position).update()


def count_empty_contents(document):
    """Tables of contents that have nothing but their title."""
    if not hasattr(document, 'getDocumentIndexes'):
        return 0
    try:
        found = document.getDocumentIndexes()
        indexes = [found.getByIndex(at) for at in range(found.getCount())]
        return sum(
            index.supportsService('com.sun.star.text.ContentIndex')
            and index.getAnchor().getString().strip() in ('', index.Title.strip())
            for index in indexes
        )
    except Exception:  # noqa: BLE001 - only a warning depends on it
        return 0


def count_pages(document):
    """Slides, drawing pages, sheets or text pages; None where the document does not say."""
    try:
        if hasattr(document, 'getDrawPages'):
            return document.getDrawPages().getCount()
        if hasattr(document, 'getSheets'):
            return document.getSheets().getCount()
        return document.getCurrentController().PageCount
    except Exception:  # noqa: BLE001 - only a warning depends on it
        return None


# What the default character style is called in the versions of the office.
NO_STYLE = {'', 'Standard', 'Default Style', 'Default Character Style'}
LINK_STYLE = 'Link as its text'
MOST_LINKS = 20_000


def links_of(document):
    """The texts of a document that are links, in its tables, headers and notes, too."""
    search = document.createSearchDescriptor()
    search.setSearchAttributes((prop('HyperLinkURL', ''),))
    search.ValueSearch = False  # any address
    found = document.findAll(search)
    return (found.getByIndex(at) for at in range(min(found.getCount(), MOST_LINKS)))


def style_links(document):
    """The PDF export leaves out links of text without a character style, as those of DOCX files by Google Docs: it looks
    for them among the users of character styles. Such links get a style that changes nothing about their text."""
    added = False
    for link in links_of(document):
        if link.UnvisitedCharStyleName not in NO_STYLE:
            continue
        if not added:
            style = document.createInstance('com.sun.star.style.CharacterStyle')
            document.StyleFamilies.getByName('CharacterStyles').insertByName(LINK_STYLE, style)
            added = True
        link.UnvisitedCharStyleName = LINK_STYLE
        link.VisitedCharStyleName = LINK_STYLE


def links_without_place(document):
    """Links to files as the document has them, for an export whose file cannot be edited afterwards."""
    for link in links_of(document):
        address = link.HyperLinkURL
        changed = PLACE_IN_ADDRESS.sub(way_from_place, address.encode()).decode()
        if changed != address:
            link.HyperLinkURL = changed


# The class identifiers of embedded objects, as LibreOffice writes them.
EQUATION = '078B7ABA-54FC-457F-8551-6147E776A997'
CHART = '12DCAE26-281F-416F-A234-C3086127382E'
# Objects that are looked at for a warning; the others are not counted.
MAX_COUNTED = 1000


def count_lost(document):
    """What plain text leaves out of a text: notes, comments, equations, charts. Nothing where the document does not say."""
    try:
        notes = document.getFootnotes().getCount() + document.getEndnotes().getCount()
        comments, fields = 0, document.getTextFields().createEnumeration()
        while fields.hasMoreElements():
            comments += fields.nextElement().supportsService('com.sun.star.text.textfield.Annotation')
        objects = document.getEmbeddedObjects()
        kinds = [objects.getByIndex(at).CLSID.upper() for at in range(min(objects.getCount(), MAX_COUNTED))]
        return {
            'notes': notes,
            'comments': comments,
            'equations': kinds.count(EQUATION),
            'charts': kinds.count(CHART),
        }
    except Exception:  # noqa: BLE001 - only a warning depends on it
        return {}


def close(document):
    try:
        document.close(True)
    except Exception:  # noqa: BLE001 - a vetoed close leaves only the hard way
        try:
            document.dispose()
        except Exception:  # noqa: BLE001
            pass


def serve(office, channel):
    while True:
        frame = channel.read()
        if frame is None:
            return
        request, payload = frame
        kind = request['kind']
        if kind == 'stop':
            return
        if kind == 'ping':
            office.ping()
            channel.write({'ok': True})
            continue
        try:
            if request.get('cold'):
                files, counted = [office.convert_cold(request, payload)], {}
            else:
                files, counted = office.convert(request, payload)
            sizes = [sum(len(part) for part in file) for file in files]
            channel.write({'ok': True, **counted, 'sizes': sizes}, [part for file in files for part in file])
        except Declined as reason:
            channel.write({'ok': False, 'kind': reason.kind, 'because': reason.because})


def main():
    follow_parent_to_death()
    config = json.loads(sys.argv[1])
    # Whatever prints by accident must not end up between two frames.
    replies = os.fdopen(os.dup(1), 'wb')
    os.dup2(2, 1)
    channel = Channel(sys.stdin.buffer, replies)
    office = Office(config)
    try:
        office.start()
    except RuntimeError as error:
        channel.write({'ok': False, 'because': str(error)})
        sys.exit(EXIT_NO_OFFICE)
    channel.write({'ok': True, 'office': office.process.pid})
    serve(office, channel)
    office.stop()


if __name__ == '__main__':
    try:
        main()
    except Exception as error:  # noqa: BLE001 - a broken connection to the office, or to our parent
        print(type(error).__name__, file=sys.stderr)
        os._exit(EXIT_OFFICE_GONE)
