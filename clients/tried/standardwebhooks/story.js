import { Webhook } from 'standardwebhooks'
import { tellWebhookStory } from '../webhook-story.ts'

await tellWebhookStory((secret, body, headers) => new Webhook(secret).verify(body, headers))
