"""The audit trail by another HTTP server: events from a file of JSON lines, oldest first, newest first over HTTP.

python3 foreign.py EVENTS SHOWN: the first SHOWN lines are there from the start, and each reading adds one.
Prints its port as the first line.
"""

import bisect
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

with open(sys.argv[1], encoding="utf-8") as file:
    lines = file.read().rstrip("\n").split("\n")
times = [json.loads(line)["timestamp"] for line in lines]
shown = int(sys.argv[2])


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        global shown
        url = urlsplit(self.path)
        if url.path != "/api/v2/organization/audit-trail":
            return self.answer(404, '{"errors":[{"status":"404","title":"not found"}]}')
        if self.headers["Authorization"] != "Bearer audit-0":
            return self.answer(401, '{"errors":[{"status":"401","title":"unauthorized"}]}')
        shown = min(len(lines), shown + 1)
        query = parse_qs(url.query)
        number = int(query.get("page[number]", ["1"])[0])
        size = min(1000, int(query.get("page[size]", ["1000"])[0]))
        # Texts of one shape sort as the times do.
        first = bisect.bisect_left(times, query["since"][0], 0, shown) if "since" in query else 0
        total = shown - first
        end = max(first, shown - (number - 1) * size)
        start = max(first, end - size)
        pages = -(-total // size)
        pagination = {
            "current_page": number,
            "prev_page": number - 1 if number > 1 else None,
            "next_page": number + 1 if number < pages else None,
            "total_pages": pages,
            "total_count": total,
        }
        data = ",".join(reversed(lines[start:end]))
        return self.answer(200, '{"data":[%s],"pagination":%s}' % (data, json.dumps(pagination)))

    def answer(self, status, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
