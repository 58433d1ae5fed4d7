// How the API of the workspace is doing: where to call, what is still to be done, the last day, and keys that carry a
// risk.
import type { ReactNode } from 'react'
import type { UsageOverview } from '#contract/usage.ts'
import { AnswerFailure } from '../../app/page-states.tsx'
import { useAnswer, useWorkspace } from '../../app/workspace.ts'
import { Page, Section } from '../../ui/page.tsx'
import { Attention } from './attention.tsx'
import { FirstSteps, isDone } from './first-steps.tsx'
import { KeyRisks } from './key-risks.tsx'
import { LastDay } from './last-day.tsx'
import css from './overview-page.module.css'
import { apiPrefix, mcpPath } from '#contract/route-paths.ts'
import { CopyList } from '../../ui/copy-list.tsx'
import { texts } from './texts.ts'

/** The first request appears on the page without a reload. */
const refreshEveryMs = 5_000

export function OverviewPage(): ReactNode {
  const { id } = useWorkspace()
  const { data, error, refetch } = useAnswer('usage.overview', {}, { refetchInterval: refreshEveryMs })
  return (
    <Page title={texts.overview} guide="/docs" about={texts.apiActivityInThisWorkspace}>
      <Attention />
      <Section title={texts.connectionDetails}>
        <Addresses workspaceId={id} />
      </Section>
      {data !== undefined && <Figures overview={data} />}
      {data === undefined && error === null && <Skeleton />}
      {data === undefined && error !== null && <AnswerFailure error={error} retry={() => void refetch()} />}
    </Page>
  )
}

const Figures = ({ overview }: { readonly overview: UsageOverview }): ReactNode => (
  <>
    {!isDone(overview.firstSteps) && <FirstSteps steps={overview.firstSteps} />}
    <LastDay overview={overview} />
    <KeyRisks keys={overview.keys} />
  </>
)

const tiles = [0, 1, 2, 3]

const Skeleton = (): ReactNode => (
  <div className={css.tiles} role="status" aria-label={texts.loading}>
    {tiles.map((tile) => (
      <div key={tile} className={css.skeleton} />
    ))}
  </div>
)

/** The console comes from the gateway, so both are at its own address. */
const Addresses = ({ workspaceId }: { readonly workspaceId: string }): ReactNode => (
  <CopyList
    values={[
      { name: texts.baseUrl, text: location.origin + apiPrefix, what: texts.baseUrlCopied },
      { name: texts.mcpServer, text: location.origin + mcpPath, what: texts.mcpUrl },
      { name: texts.workspaceId, text: workspaceId, what: texts.workspaceIdCopied },
    ]}
  />
)
