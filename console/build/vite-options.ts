// What Vite is told. No configuration file is read, and nothing is loaded from elsewhere while it builds or when it runs.
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'
import { consolePrefix } from '#contract/route-paths.ts'
import { compressedFiles } from './compressed-files.ts'
import { contractModules } from './contract-modules.ts'

export const consoleBuild = (outDir: string): InlineConfig => ({
  configFile: false,
  logLevel: 'warn',
  root: join(import.meta.dirname, '..'),
  base: `${consolePrefix}/`,
  publicDir: false,
  plugins: [react(), contractModules(), compressedFiles()],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy allows styles and scripts of our own address only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
