// The console as `npm run dev` serves it: Vite's development server with hot replacement of modules. It hands on to the
// gateway what is not the console, so that pages, API and event streams have one origin, as they have in production.
// Arguments: the gateway's address, the port to listen on, the folder for what Vite keeps.
import { createServer } from 'vite'
import { consoleServer } from '../console/build/vite-options.ts'

const [gateway = '', port = '', cacheDir = ''] = process.argv.slice(2)

const server = await createServer(consoleServer({ gateway, port: Number(port), cacheDir }))
await server.listen()
// A server that is watched has connections that stay open: closing ends them.
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)))
