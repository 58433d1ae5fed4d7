import { defineConfig } from 'orval'

export default defineConfig({
  api: {
    input: './openapi.json',
    output: { target: './generated/api.ts', client: 'fetch', baseUrl: process.env['BASE_URL']! },
  },
})
