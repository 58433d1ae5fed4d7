// What gateways ask Redis for, gathered: the questions of one moment go in one script. Nobody waits longer than 20 ms for
// the answer; after that, and while there is no connection, Redis is away until it says something again.

/** What is asked for one bucket. */
export type Want = {
  readonly name: string
  readonly intervalUs: number
  readonly burst: number
  /** Tokens that were spent already, whether or not they were there; below 0, given back. */
  readonly debit: number
  /** The bucket is not full sooner than this, whatever Redis knows of it. */
  readonly fullInAtLeastUs: number
  /** All needs of a question are met or none. */
  readonly need: number
  /** Tokens to lease beyond that, as many as there are; `most`, as long as they are a small part of what is there. */
  readonly extra: number
  readonly most: number
}
export type Got = { readonly granted: number; readonly fullInUs: number }
export type Question = {
  readonly wants: readonly Want[]
  /** Since when a call waits, in µs on the clock of `performance.now`; null where none does. */
  readonly sinceUs: number | null
  /** `lacking` has a bit for each want that could not be met: 0 when all were. */
  answered(lacking: number, got: readonly Got[]): void
  failed(): void
  /** Nothing was heard for as long as a call may wait. `answered` or `failed` may still come. */
  silent(): void
}
export type Answer = { readonly lacking: number; readonly got: readonly Got[] }
type Send = (questions: readonly Question[]) => Promise<readonly Answer[]>

export type Questions = {
  isAway(): boolean
  ask(question: Question): void
  /** `collect` asks what nobody waits for: when something is sent next, or a while after, less where it is needed soon. */
  gather(collect: () => void, isNeededSoon: boolean): void
  /** Redis has answered something. */
  heard(): void
  flush(): Promise<void>
  /** Scripts sent so far. */
  sent(): number
}
type Parts = {
  readonly send: Send
  /** For how long a call waits for an answer. */
  readonly waitMs: number
  isConnected(): boolean
  onError(error: Error): void
}

const gatherMs = { soon: 2, later: 50 }
/** Redis does nothing else meanwhile. */
const wantsPerScriptMax = 256

export function openQuestions({ send, waitMs, isConnected, onError }: Parts): Questions {
  let waiting: Question[] = []
  let isSilent = false
  let sent = 0
  let immediate: NodeJS.Immediate | null = null
  const flushNow = () => void sendAll()
  const gathering = openGathering(flushNow)

  async function sendAll(): Promise<void> {
    gathering.collect()
    if (immediate !== null) clearImmediate(immediate)
    immediate = null
    const questions = waiting
    waiting = []
    await Promise.all(inScripts(questions).map(sendOne))
  }

  async function sendOne(questions: readonly Question[]): Promise<void> {
    if (!isConnected()) return questions.forEach((question) => question.failed())
    sent++
    let isOver = false
    const onSilence = () => {
      if (isOver) return
      isSilent = true
      questions.forEach((question) => question.silent())
    }
    // After a pause of this process an answer may lie there unread: it is read before the silence is believed.
    const silence = setTimeout(() => setImmediate(onSilence), leftMs(questions, waitMs))
    const answers = await send(questions).catch((error: Error) => {
      onError(error)
      return null
    })
    isOver = true
    clearTimeout(silence)
    isSilent = answers === null
    questions.forEach((question, at) => {
      const answer = answers?.[at]
      if (answer === undefined) question.failed()
      else question.answered(answer.lacking, answer.got)
    })
  }

  return {
    isAway: () => isSilent || !isConnected(),
    ask: (question) => {
      waiting.push(question)
      immediate ??= setImmediate(flushNow)
    },
    gather: gathering.gather,
    heard: () => void (isSilent = false),
    flush: sendAll,
    sent: () => sent,
  }
}

function openGathering(flush: () => void): { readonly gather: Questions['gather']; collect(): void } {
  let asks: (() => void) | null = null
  let timer: NodeJS.Timeout | undefined
  let isSoon = false
  return {
    gather: (collect, isNeededSoon) => {
      if (asks !== null && (isSoon || !isNeededSoon)) return
      clearTimeout(timer)
      asks = collect
      isSoon = isNeededSoon
      timer = setTimeout(flush, isSoon ? gatherMs.soon : gatherMs.later)
    },
    collect: () => {
      clearTimeout(timer)
      const ask = asks
      asks = null
      ask?.()
    },
  }
}

function inScripts(questions: readonly Question[]): Question[][] {
  const scripts: Question[][] = []
  let room = 0
  for (const question of questions) {
    const { length } = question.wants
    if (room < length) {
      scripts.push([])
      room = wantsPerScriptMax
    }
    room -= length
    scripts.at(-1)?.push(question)
  }
  return scripts
}

/** Of the time that the first call may wait. */
function leftMs(questions: readonly Question[], waitMs: number): number {
  const now = performance.now()
  const since = questions.reduce((least, { sinceUs }) => Math.min(least, (sinceUs ?? Infinity) / 1_000), now)
  return Math.max(0, waitMs - (now - since))
}
