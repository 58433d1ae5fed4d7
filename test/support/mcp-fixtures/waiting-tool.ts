// A tool that waits until its call is stopped, around the product's features; and which tools have been called.
import type { McpFeatures } from '../../../service/mcp/features.ts'
import { text } from './fixture.ts'

export function waitingTool() {
  const called: string[] = []
  let stopped = 0
  const around = (product: McpFeatures): McpFeatures => ({
    ...product,
    callTool: async (name, args, exchange, context) => {
      called.push(name)
      if (name !== 'test_wait') return product.callTool(name, args, exchange, context)
      await new Promise<void>((resolve) => exchange.signal.addEventListener('abort', () => resolve(), { once: true }))
      stopped += 1
      return text('Stopped')
    },
  })
  return { around, calls: (name: string) => called.filter((each) => each === name).length, stopped: () => stopped }
}
