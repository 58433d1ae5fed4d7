// The fields of companies, contacts and deals that have rules of their own: domains, emails, phones, names, address, money.
import { Type, type Static } from 'typebox'
import { Currency, closed, nullable } from './shared-fields.ts'

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
/** The last label begins with a letter: otherwise the domain could be read as an IP address. */
const topLabel = '[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const Domain = Type.String({
  pattern: `^(?:${label}\\.)+${topLabel}$`,
  maxLength: 253,
  description: 'As in example.com.',
})
const Email = Type.String({ format: 'email', maxLength: 254 })
export const emails = Type.Array(Email, {
  maxItems: 20,
  uniqueItems: true,
  description: 'Kept in lower case; each with one contact of the workspace.',
})
export const domains = Type.Array(Domain, {
  maxItems: 50,
  uniqueItems: true,
  description: 'Kept in lower case; each with one company of the workspace.',
})
export const phones = Type.Array(Type.String({ minLength: 1, maxLength: 40, format: 'line' }), {
  maxItems: 20,
  uniqueItems: true,
})
export const PersonName = Type.String({ minLength: 1, maxLength: 100, format: 'line' })
/** The name of a contact is made of first and last name, or is the first email. */
export const EntityName = Type.String({ minLength: 1, maxLength: 254 })

const text = (maxLength: number) => nullable(Type.String({ minLength: 1, maxLength }))
export const addressParts = {
  street: text(500),
  city: text(100),
  region: text(100),
  postalCode: text(20),
  country: nullable(
    Type.String({ pattern: '^[A-Z]{2}$', format: 'country', description: 'ISO 3166-1 alpha-2, or XK for Kosovo.' }),
  ),
}
export const Address = closed(addressParts)
export type Address = Static<typeof Address>

export const moneyParts = {
  amount: Type.String({
    pattern: '^(?:0|[1-9][0-9]{0,14})(?:\\.[0-9]{1,4})?$',
    description:
      'Decimal, as in 1250.00. After the point it has as many digits as the minor unit of its currency: two for EUR, none for JPY, three for KWD.',
  }),
  currency: Currency,
}
export const Money = closed(moneyParts)
export type Money = Static<typeof Money>
