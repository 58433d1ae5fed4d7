// What a receiver cannot bring about at a chosen moment; all else is tested over the wire (send.test.ts).
import type { Dispatcher } from 'undici'
import { expect, test } from 'vitest'
import { exchange } from '../../../dispatcher/attempt/send.ts'

const post = { url: new URL('http://127.0.0.1:1/hook?a=b'), headers: { 'x-a': 'b' }, body: Buffer.from('{}') }

/** Takes a request and does nothing by itself. */
function given() {
  const asked: { readonly options: Dispatcher.DispatchOptions; readonly handler: Dispatcher.DispatchHandler }[] = []
  const dispatch = (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) =>
    asked.push({ options, handler }) > 0
  return { agent: { dispatch } as unknown as Dispatcher, asked }
}

/** Fails the request, as undici does when it is aborted. */
function controllerOf(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchController {
  const abort = (reason: Error) => handler.onResponseError?.(controller, reason)
  const controller = { abort } as unknown as Dispatcher.DispatchController
  return controller
}

test('the path goes with its query, the body as it is', () => {
  const { agent, asked } = given()
  void exchange(agent, post, 60_000).catch(() => {})
  expect(asked[0]?.options).toEqual({
    ...{ origin: 'http://127.0.0.1:1', path: '/hook?a=b', method: 'POST' },
    ...{ headers: post.headers, body: post.body },
  })
  asked[0]?.handler.onResponseError?.(controllerOf(asked[0].handler), new Error('over'))
})

test('a request whose connection comes about after the deadline is not sent', async () => {
  const { agent, asked } = given()
  const answer = exchange(agent, post, 10)
  await new Promise((resolve) => setTimeout(resolve, 30))
  const handler = asked[0]?.handler ?? {}

  handler.onRequestStart?.(controllerOf(handler), {})

  await expect(answer).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('a request that undici refuses is a failure', async () => {
  const refusing = {
    dispatch: (_options: unknown, handler: Dispatcher.DispatchHandler) => {
      handler.onResponseError?.(controllerOf(handler), new Error('refused'))
      return false
    },
  } as unknown as Dispatcher
  await expect(exchange(refusing, post, 60_000)).rejects.toThrow('refused')
})
