// The addresses that an answer names are whole where the public address is known.
import { expect, test } from 'vitest'
import { quietService } from '../quiet-service.ts'

test.each([
  ['https://api.example.com', 'https://api.example.com/api/v1/projects'],
  [null, '/api/v1/projects'],
])('with PUBLIC_URL %s the next page and what was made are at %s', async (publicUrl, projects) => {
  await using service = await quietService('pglite', undefined, { publicUrl })
  const sent = async (method: 'GET' | 'POST', url: string, body?: object) =>
    service.app.inject({ method, url, headers: service.headersFor(method, url), ...(body && { body }) })

  const made = await sent('POST', '/api/v1/projects', { name: 'One' })
  await sent('POST', '/api/v1/projects', { name: 'Two' })
  const { headers, body } = await sent('GET', '/api/v1/projects?limit=1&sort=name')

  const { id } = made.json<{ id: string }>()
  const { page } = JSON.parse(body) as { page: { nextCursor: string } }
  const next = `limit=1&sort=name&cursor=${page.nextCursor}`
  expect(made.headers['location']).toBe(`${projects}/${id}`)
  expect(headers['link']).toBe(`<${projects}?${next}>; rel="next"`)
})
