// The passwords that are tried first, each with its place among them: some 49,000 that leaked lists have in common
// (MIT, @zxcvbn-ts/language-common), and others as people make them up for installations such as this one. Read when the
// first password is chosen: most processes never need them.

export type CommonPasswords = ReadonlyMap<string, number>

const others = `
passphrase adminadmin rootroot superuser superadmin letmeinplease welcomehome welcometo changemenow changethis
changepassword mypasswordis thisismypassword thepassword oldpassword defaultpassword secretpassword verysecret
supersecret trustnobody iloveyouso iloveyoubaby iloveyouforever sunshinegirl princesses footballer fortnite
jordanmichael robertrobert qwertyqwerty qwertyuiopasdf qwertz qwertzuiop abcdef abcdefgh abcabc abcdabcd testpassword
testaccount demodemo demopassword examplepassword guestguest login loginlogin accessgranted companypassword
wintertime helloworldhello correcthorsebatterystaple correcthorse manchesterunited harleydavidson lordoftherings
fuckyouall successful workspace workspaces serverserver postgres postgrespostgres redis rabbitmq staging development
`
/** As good as a place in the list. */
const placeOfOthers = 100

let known: Promise<CommonPasswords> | null = null

export const commonPasswords = (): Promise<CommonPasswords> => (known ??= read())

async function read(): Promise<CommonPasswords> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const places = new Map(
    others
      .trim()
      .split(/\s+/)
      .map((word) => [word, placeOfOthers]),
  )
  for (const [at, word] of dictionary['passwords-common'].entries()) places.set(word, at + 1)
  return places
}
