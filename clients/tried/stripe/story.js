import Stripe from 'stripe'
import { tellWebhookStory } from '../webhook-story.ts'

await tellWebhookStory((secret, body, headers) =>
  Stripe.webhooks.constructEvent(body, headers['x-service-signature'], secret),
)
