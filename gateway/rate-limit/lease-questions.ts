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
  /** `urgent`: a call waits for it. */
  ask(question: Question, urgent: boolean): void
  /** Redis has answered something. */
  heard(): void
  flush(): Promise<void>
  /** Scripts sent so far. */
  sent(): number
}
type Parts = { readonly send: Send; isConnected(): boolean; onError(error: Error): void }

const waitMs = 20
/** What nobody waits for is gathered a little longer. */
const gatherMs = 2
/** Redis does nothing else meanwhile. */
const perScriptMax = 256

export function openQuestions({ send, isConnected, onError }: Parts): Questions {
  let waiting: Question[] = []
  let isSilent = false
  let sent = 0
  let immediate: NodeJS.Immediate | null = null
  let timer: NodeJS.Timeout | null = null

  async function sendAll(): Promise<void> {
    if (immediate !== null) clearImmediate(immediate)
    if (timer !== null) clearTimeout(timer)
    immediate = timer = null
    const questions = waiting
    waiting = []
    const scripts: Promise<void>[] = []
    for (let at = 0; at < questions.length; at += perScriptMax)
      scripts.push(sendOne(questions.slice(at, at + perScriptMax)))
    await Promise.all(scripts)
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
    const silence = setTimeout(() => setImmediate(onSilence), waitMs)
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

  const flushNow = () => void sendAll()
  return {
    isAway: () => isSilent || !isConnected(),
    ask: (question, urgent) => {
      waiting.push(question)
      if (urgent) immediate ??= setImmediate(flushNow)
      else if (immediate === null) timer ??= setTimeout(flushNow, gatherMs)
    },
    heard: () => void (isSilent = false),
    flush: sendAll,
    sent: () => sent,
  }
}
