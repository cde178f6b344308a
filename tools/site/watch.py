"""Serves the site, makes it anew when a file is saved, and lets open pages load themselves again.

    watch.py SITE PROJECT -- COMMAND...

SITE is the folder with index.html, PROJECT the one whose files are watched, COMMAND what makes the
site. The first line of the output says where the site is served, as that of http.server does.
"""

import functools
import http.server
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

POLL_S = 0.5
WAIT_S = 25  # for a change, before a page asks again
WATCHED = ('chapters', 'common', 'docs', 'emulator/include', 'tools/site', 'tools/coursework')
KINDS = ('.css', '.cu', '.cuh', '.h', '.hpp', '.html', '.js', '.json', '.md', '.py', '.svg', '.txt')
RELOAD = b"""<script>
(async () => {
  for (;;) {
    try {
      const now = await (await fetch('/version-after/VERSION')).text();
      if (now !== 'VERSION') return location.reload();
    } catch (error) {  // the command has ended, or is started again
      await new Promise((done) => setTimeout(done, 1000));
    }
  }
})();
</script>
"""


class Site:
    """How often the site has changed; pages wait for the next time."""

    def __init__(self):
        self.version = str(time.time_ns())
        self.changed = threading.Condition()

    def change(self):
        with self.changed:
            self.version = str(time.time_ns())
            self.changed.notify_all()

    def version_after(self, version):
        with self.changed:
            self.changed.wait_for(lambda: self.version != version, WAIT_S)
            return self.version


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files, and adds a script to pages."""

    def do_GET(self):
        question = '/version-after/'
        path = Path(self.translate_path(self.path))
        page = path / 'index.html' if path.is_dir() else path
        if self.path.startswith(question):
            version = self.server.site.version_after(self.path[len(question):])
            self.send(version.encode(), 'text/plain')
        elif page.suffix == '.html' and page.exists():
            # The version is asked for before the text is read: a page never claims to be newer than
            # it is, so that no change between the two, or before the script runs, goes unseen.
            script = RELOAD.replace(b'VERSION', self.server.site.version.encode())
            self.send(page.read_bytes().replace(b'</body>', script + b'</body>'), 'text/html')
        else:
            super().do_GET()

    def send(self, text, kind):
        self.send_response(200)
        self.send_header('Content-Type', kind + '; charset=utf-8')
        self.send_header('Content-Length', str(len(text)))
        self.send_header('Cache-Control', 'no-store')
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def times_below(project):
    """When each watched file was changed last."""
    times = {}
    folders = [project, *(project / name for name in WATCHED)]
    for folder in folders:
        for path, subfolders, names in os.walk(folder):
            if folder == project:
                subfolders.clear()
            for name in names:
                if name.endswith(KINDS):
                    file = os.path.join(path, name)
                    try:
                        times[file] = os.stat(file).st_mtime_ns
                    except FileNotFoundError:
                        pass  # an editor's, gone again
    return times


def main():
    site_folder, project = sys.argv[1], Path(sys.argv[2])
    command = sys.argv[sys.argv.index('--') + 1:]
    site = Site()
    before = times_below(project)
    handler = functools.partial(Handler, directory=site_folder)
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), handler)
    server.site = site
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_address[1]
    print(f'Serving HTTP on 127.0.0.1 port {port} (http://127.0.0.1:{port}/) ...', flush=True)
    while True:
        time.sleep(POLL_S)
        now = times_below(project)
        if now == before:
            continue
        saved = sorted(os.path.relpath(file, project)
                       for file in now.keys() | before.keys() if now.get(file) != before.get(file))
        before = now
        began = time.monotonic()
        result = subprocess.run(command, stdout=subprocess.DEVNULL)
        if result.returncode == 0:
            site.change()
            print(f'course: {saved[0]} was saved; its pages are new, after '
                  f'{time.monotonic() - began:.1f} s', file=sys.stderr, flush=True)


if __name__ == '__main__':
    try:
        main()
    except KeyboardInterrupt:
        pass
