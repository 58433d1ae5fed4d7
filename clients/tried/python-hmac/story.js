import { spawnSync } from 'node:child_process'
import { tellWebhookStory } from '../webhook-story.ts'

await tellWebhookStory((secret, input, headers) => {
  const args = ['verify.py', secret, headers['webhook-id'], headers['webhook-timestamp'], headers['webhook-signature']]
  const { status, stderr } = spawnSync('python3', args, { input, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
})
