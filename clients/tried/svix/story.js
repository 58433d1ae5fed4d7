import { Webhook } from 'svix'
import { tellWebhookStory } from '../webhook-story.ts'

await tellWebhookStory((secret, body, headers) => new Webhook(secret).verify(body, headers))
