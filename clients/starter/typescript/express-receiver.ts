// Takes deliveries on PORT (9000) with Express (`npm install express`), and prints what happened.
import express from 'express'
import { bodyBytesMax, receive } from './webhook-inbox.ts'

const port = Number(process.env['PORT'] ?? 9000)
const app = express()

// Any other parser, such as express.json(), comes after this route: it would leave no raw bytes. What is too large it
// answers with 413 itself.
app.post('/', express.raw({ type: () => true, limit: bodyBytesMax }), (request, response) => {
  const status = receive((name) => request.get(name), request.body as Buffer | undefined)
  response.status(status).end()
})

app.listen(port, '127.0.0.1', () => console.log(`Waiting for deliveries on http://127.0.0.1:${port}/`))
