"""The bare warm UNO loop: load a file, store it as PDF, close it. What engine L is measured against.

argv: folder for the profile. Then one line per request on stdin, `<input path>\t<output path>`; one line per answer on
stdout, the milliseconds it took. Ends with stdin.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time

import uno
from com.sun.star.beans import PropertyValue

PROGRAM = os.environ.get('OFFICE_PROGRAM', '/usr/lib/libreoffice/program/soffice.bin')
FILTERS = {'docx': 'writer_pdf_Export', 'odt': 'writer_pdf_Export', 'xlsx': 'calc_pdf_Export', 'pptx': 'impress_pdf_Export'}
OFFICE_WANTS_RESTART = 81


PR_SET_PDEATHSIG = 1


def end_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def start(command):
    nothing = subprocess.DEVNULL
    return subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing, preexec_fn=end_with_parent)


def prop(name, value):
    item = PropertyValue()
    item.Name = name
    item.Value = value
    return item


# Read-only: a loop that was killed leaves lock files beside its documents.
LOAD = (prop('Hidden', True), prop('ReadOnly', True))


def main():
    pipe = f'uno-loop-{os.getpid()}'
    command = [
        PROGRAM,
        '--headless',
        '--norestore',
        '--nologo',
        '--nolockcheck',
        f'-env:UserInstallation=file://{sys.argv[1]}',
        f'--accept=pipe,name={pipe};urp;StarOffice.ComponentContext',
    ]
    office = start(command)
    try:
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext('com.sun.star.bridge.UnoUrlResolver', local)
        while True:
            try:
                context = resolver.resolve(f'uno:pipe,name={pipe};urp;StarOffice.ComponentContext')
                break
            except Exception:
                if office.poll() == OFFICE_WANTS_RESTART:
                    office = start(command)
                time.sleep(0.02)
        desktop = context.ServiceManager.createInstanceWithContext('com.sun.star.frame.Desktop', context)
        for line in sys.stdin:
            source, target = line.rstrip('\n').split('\t')
            started = time.perf_counter()
            document = desktop.loadComponentFromURL(f'file://{source}', '_blank', 0, LOAD)
            document.storeToURL(f'file://{target}', (prop('FilterName', FILTERS[source.rsplit('.', 1)[1]]),))
            document.close(True)
            print((time.perf_counter() - started) * 1000, flush=True)
    finally:
        office.kill()
        office.wait()


main()
