// CRM rows as years of work leave them: links in both directions of time, several ids, addresses with gaps, credits,
// letters of several scripts, and histories that came from elsewhere, some with their authors.
import { people, type Line } from './place.ts'

const source = 'erp'
const stages = ['new', 'qualified', 'proposal', 'negotiation', 'won', 'lost'] as const
const amounts = [
  { amount: '1250.00', currency: 'EUR' },
  { amount: '-80.50', currency: 'EUR' },
  { amount: '125000', currency: 'JPY' },
  { amount: '0.125', currency: 'KWD' },
  null,
]
const cities = ['Łódź', '東京', 'Zürich', null]

/** In the order in which they can be imported: a third companies, half contacts, the others deals. */
export function rowsToMove(count: number): Line[] {
  const companies = Math.ceil(count / 3)
  const contacts = Math.ceil(count / 2)
  const deals = Math.max(0, count - companies - contacts)
  const later = many(companies - 1, (n) => n)
    .filter((n) => n % 11 === 0 && n % 7 !== 0)
    // Its parent is made after it.
    .map((n) => ({ kind: 'company', ...ownId('co', n), parentCompanyId: `ext:${source}/co-${n + 1}` }))
  return [
    ...many(companies, company),
    ...many(contacts, (n) => contact(n, companies)),
    ...many(deals, (n) => deal(n, companies, contacts)),
    ...later,
  ]
}

const many = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: Math.max(0, count) }, (_, n) => make(n))
const ownId = (kind: string, n: number) => ({ externalSource: source, externalId: `${kind}-${n}` })
const owner = (n: number) => (n % 4 === 3 ? null : people[n % people.length]?.email)
const yearsBack = (n: number) =>
  new Date(Date.UTC(2012 + (n % 12), n % 12, 1 + (n % 28), 8, n % 60, 0, n % 1000)).toISOString()

/** Every third row is from an older system. */
const history = (n: number, closedAt = false) =>
  n % 3 === 0 && {
    imported: {
      createdAt: yearsBack(n),
      ...(n % 2 === 0 && { updatedAt: '2025-02-03T04:05:06.007Z' }),
      ...(n % 4 !== 0 && { createdBy: { name: 'Öld Hand', email: n % 5 === 0 ? null : `old${n % 7}@former.example` } }),
      ...(closedAt && { closedAt: '2025-01-01T00:00:00.000Z' }),
    },
  }
const address = (n: number) =>
  n % 3 === 1
    ? null
    : {
        street: `${n} High Street\nBack yard`,
        city: cities[n % cities.length],
        postalCode: `0${n}`,
        ...(n % 2 === 0 && { country: 'PL' }),
      }

const company = (n: number): Line => ({
  kind: 'company',
  name: `Firm ${n} "Ünïon", 税`,
  ...ownId('co', n),
  domains: many(n % 3, (at) => `${at === 1 ? 'münchen' : 'firm'}-${n}.example`),
  website: n % 2 === 0 ? `https://firm-${n}.example/über?a=1&b=2` : null,
  industry: n % 2 === 0 ? 'Ships' : null,
  employeeCount: n % 5 === 0 ? 0 : n,
  emails: many(n % 3, (at) => `office${at}@firm-${n}.example`),
  phones: many(n % 2, () => `+49 30 ${100_000 + n}`),
  address: address(n),
  ...(n % 7 === 1 && { parentCompanyId: `ext:${source}/co-${n - 1}` }),
  ownerId: owner(n),
  labels: many(n % 4, (at) => `label ${at}`),
  description: n % 2 === 0 ? `Line one\n\n- line two of ${n}` : null,
  customFields: { ...(n % 2 === 0 && { size: n / 4 }), ...(n % 3 === 0 && { keeper: people[n % 3]?.email }) },
  ...history(n),
})

const contact = (n: number, companies: number): Line => ({
  kind: 'contact',
  ...(n % 5 === 0
    ? { externalIds: many(3, (at) => ({ source: ['erp', 'shop', 'news/letter'][at], id: `p/${n}%` })) }
    : ownId('p', n)),
  firstName: n % 6 === 5 ? null : 'Zoë',
  lastName: `Nr. ${n}`,
  emails: many(1 + (n % 3), (at) => `person${n}.${at}@${at === 2 ? 'bücher' : 'mail'}.example`),
  phones: many(n % 3, (at) => `(030) ${n}-${at}`),
  address: address(n + 1),
  jobTitle: n % 2 === 0 ? 'Head of Ships' : null,
  companyId: n % 9 === 8 ? null : `ext:${source}/co-${n % companies}`,
  ownerId: owner(n),
  labels: [],
  customFields: n % 2 === 0 ? { channels: n % 4 === 0 ? ['phone', 'mail'] : ['post'] } : {},
  ...history(n),
})

function deal(n: number, companies: number, contacts: number): Line {
  const stage = stages[n % stages.length] ?? 'new'
  const isClosed = stage === 'won' || stage === 'lost'
  const person = (n * 5 + 1) % contacts
  return {
    kind: 'deal',
    ...ownId('d', n),
    name: `Deal ${n}`.padEnd(n % 50 === 0 ? 255 : 1, '.'),
    stage,
    amount: amounts[n % amounts.length],
    ...(!isClosed && n % 2 === 0 && { probability: n % 101 }),
    expectedCloseDate: n % 2 === 0 ? '2027-02-28' : null,
    ...(stage === 'lost' && n % 4 === 1 && { lostReason: 'Too dear' }),
    emails: many(n % 2, () => `deal-${n}@firm.example`),
    phones: [],
    companyId: `ext:${source}/co-${n % companies}`,
    contactIds: [person, (person + 1) % contacts].filter((at) => at % 5 !== 0).map((at) => `ext:${source}/p-${at}`),
    ownerId: owner(n + 1),
    labels: ['hot'],
    description: null,
    customFields: {
      ...(n % 2 === 0 && { renewal: '2028-02-29', is_new: n % 4 === 0, offer: `https://firm.example/${n}` }),
    },
    ...history(n, isClosed),
  }
}
