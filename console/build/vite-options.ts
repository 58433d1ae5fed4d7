// The options of Vite. No configuration file is read, and nothing is loaded from other hosts at build time or run time.
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import type { InlineConfig, Plugin } from 'vite'
import { consolePrefix, docsPaths, settingsPrefix } from '#contract/route-paths.ts'
import { compressedFiles } from './compressed-files.ts'
import { contractModules } from './contract-modules.ts'

const common = {
  configFile: false,
  logLevel: 'warn',
  root: join(import.meta.dirname, '..'),
  base: `${consolePrefix}/`,
  publicDir: false,
} as const satisfies InlineConfig

const output = {
  emptyOutDir: true,
  target: 'es2023',
  // The content security policy allows styles and scripts of our own address only.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  reportCompressedSize: false,
} as const

export const consoleBuild = (outDir: string): InlineConfig => ({
  ...common,
  plugins: [react(), contractModules(), compressedFiles()],
  build: { ...output, outDir },
})

const docsFile = (name: string): string => join(common.root, 'docs', name)
/** A script and a style sheet for every page, and for the reference. */
const docsEntries = {
  site: docsFile('site.ts'),
  'site-styles': docsFile('site.css'),
  reference: docsFile('reference.ts'),
  'reference-styles': docsFile('reference.css'),
}

/** What the pages of the documentation load. The gateway makes the pages. */
export const docsBuild = (outDir: string): InlineConfig => ({
  ...common,
  base: `${docsPaths.docs}/`,
  plugins: [contractModules(), compressedFiles()],
  build: {
    ...output,
    outDir,
    // The reference is large, and loaded by its page alone.
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: { input: docsEntries },
  },
})

/** Vite knows the console's first page with a slash at its end only. */
const startPage: Plugin = {
  name: 'start-page',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, response, next) => {
      if (request.url === consolePrefix) response.writeHead(302, { location: `${consolePrefix}/` }).end()
      else next()
    })
  },
}

type Served = { readonly gateway: string; readonly port: number; readonly cacheDir: string }

/** Serves the console's sources; what is not the console is answered by the gateway. */
export const consoleServer = ({ gateway, port, cacheDir }: Served): InlineConfig => ({
  ...common,
  cacheDir,
  plugins: [react(), contractModules(), startPage],
  server: {
    host: '127.0.0.1',
    port,
    strictPort: true,
    // The console imports the contract and the clients.
    fs: { allow: [join(import.meta.dirname, '../..')] },
    // The gateway decides which origins may call.
    cors: false,
    proxy: { [`^(?!${consolePrefix}(?:[/?]|$))|^${settingsPrefix}(?:[/?]|$)`]: { target: gateway } },
  },
})
