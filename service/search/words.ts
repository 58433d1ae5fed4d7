// What somebody types, as conditions over the table `t`. Words are found by their beginnings in title and text; the
// title also by any part of it, and when it is misspelt. The indexes are those of the search migration.
import { Prisma } from '#prisma/generated/client.ts'

export type Searched = { readonly titled: string; readonly text: string }

const wordsMax = 20

export function searchCondition({ titled, text }: Searched, q: string): Prisma.Sql {
  const title = Prisma.raw(`lower(t.${titled})`)
  const partly = Prisma.sql`${title} LIKE ${`%${escaped(q.trim().toLowerCase())}%`}`
  const alike = Prisma.sql`${q.trim().toLowerCase()}::text <% ${title}`
  const query = prefixQuery(q)
  if (query === null) return Prisma.sql`(${partly} OR ${alike})`
  return Prisma.sql`(${wordsOf({ titled, text })} @@ to_tsquery('simple', ${query}) OR ${partly} OR ${alike})`
}

/** The nearer the title, the higher; between 0 and about 3. */
export function searchRank({ titled, text }: Searched, q: string): Prisma.Sql {
  const title = Prisma.raw(`lower(t.${titled})`)
  const near = Prisma.sql`word_similarity(${q.trim().toLowerCase()}::text, ${title})`
  const whole = Prisma.sql`CASE WHEN ${title} = ${q.trim().toLowerCase()}::text THEN 1 ELSE 0 END`
  const query = prefixQuery(q)
  const words =
    query === null ? Prisma.sql`0` : Prisma.sql`ts_rank(${wordsOf({ titled, text })}, to_tsquery('simple', ${query}))`
  return Prisma.sql`(${whole} + ${near} + ${words})::float8`
}

const wordsOf = ({ titled, text }: Searched): Prisma.Sql => Prisma.raw(`search_words(t.${titled}, t.${text})`)

/** Every word must begin one of the object's words. Null where nothing typed is a word. */
export function prefixQuery(q: string): string | null {
  const words = q.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.length === 0
    ? null
    : words
        .slice(0, wordsMax)
        .map((word) => `'${word}':*`)
        .join(' & ')
}

/** For LIKE: every character stands for itself. */
export const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)
