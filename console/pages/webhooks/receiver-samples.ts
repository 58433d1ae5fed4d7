// Receivers that check the signature, to begin with. The secret comes from the environment, not from the code.
export const receiverSamples = [
  {
    id: 'node',
    label: 'Node',
    text: `import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64')

createServer(async (request, response) => {
  const body = Buffer.concat(await Array.fromAsync(request))
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signed = '' } = request.headers
  const expected = createHmac('sha256', key).update(\`\${id}.\${time}.\`).update(body).digest()
  const isGenuine =
    Math.abs(Date.now() / 1000 - time) < 300 &&
    signed.split(' ').some((one) => {
      const given = Buffer.from(one.replace(/^v1,/, ''), 'base64')
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
  response.writeHead(isGenuine ? 204 : 401).end()
  // The same id may come twice: it is the same delivery.
  if (isGenuine) console.log(id, JSON.parse(body).type)
}).listen(9000)
`,
  },
  {
    id: 'python',
    label: 'Python',
    text: `import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        delivery, at = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        mac = hmac.new(KEY, f"{delivery}.{at}.".encode() + body, hashlib.sha256).digest()
        expected = "v1," + base64.b64encode(mac).decode()
        genuine = abs(time.time() - int(at)) < 300 and any(
            hmac.compare_digest(one, expected) for one in self.headers["webhook-signature"].split(" ")
        )
        self.send_response(204 if genuine else 401)
        self.end_headers()
        # The same id may come twice: it is the same delivery.
        if genuine:
            print(delivery, json.loads(body)["type"])

HTTPServer(("127.0.0.1", 9000), Receiver).serve_forever()
`,
  },
] as const
