import type { Equipment } from '../../../contract/equipment.js'
import { type Gem300, gem300Endpoints } from '../../../contract/topics/gem300/mapping.js'
import type { Live } from '../../gateway/live.js'
import { Time } from '../../parts/time.js'
import { useReadAgain } from '../../parts/use-read-again.js'
import { may } from '../../shell/session.js'
import { texts } from '../../texts.js'
import type { TimeView } from '../time-view.js'
import { JobQueue } from './job-queue.js'
import { PerformancePanel } from './performance-panel.js'
import { Ports } from './ports.js'
import { useContents } from './use-contents.js'
import { type Objects, useObjects } from './use-objects.js'

const words = texts.gem300
/** Milliseconds until the names of equipment without a mapping are looked at again. */
const NAMES_MS = 60_000

interface Props {
  readonly live: Live
  readonly equipment: Equipment
  /** The time that the page shows. */
  readonly view: TimeView
}

/** GEM 300 of one equipment: its load ports, carriers and jobs. Nothing for equipment that is no 300 mm tool. */
export function Gem300Panels({ live, equipment, view }: Props) {
  const { id } = equipment
  const asking = useContents(live, id)
  const { objects, problem } = useObjects(live, id)
  const isKnown = objects !== undefined && Object.values(objects).some((kind) => kind.length > 0)
  const changed = [live, equipment.communication_state, asking.contents, isKnown]
  const { value: mapped } = useReadAgain(id, changed, (signal) =>
    live.calls.call(gem300Endpoints.getGem300, { params: { id } }, signal),
  )
  if (problem && !objects && mapped?.mapping) return <Failed problem={problem} />
  if (!mapped || !objects) return null
  if (mapped.mapping === null && !isKnown) return <Unmapped live={live} equipment={equipment} />
  return <Known {...{ live, equipment, view, mapped, objects, asking }} />
}

const Failed = ({ problem }: { readonly problem: string }) => (
  <section class="panel" aria-labelledby="ports-heading">
    <h2 id="ports-heading">{words.ports}</h2>
    <p class="problem">{texts.failed(problem)}</p>
  </section>
)

/** A name in a command; the ID where a shell would take it for something else. */
const nameIn = ({ name, id }: Equipment): string => (/^[\w.][\w.-]*$/.test(name) ? name : id)

const MapCommand = ({ equipment }: Pick<Props, 'equipment'>) => (
  <code class="map-command">secsctl gem300 map {nameIn(equipment)} --propose</code>
)

/** How equipment gets a mapping, where its names are those of a 300 mm tool. */
function Unmapped({ live, equipment }: Omit<Props, 'view'>) {
  const { id } = equipment
  const { value } = useReadAgain(
    id,
    [live, equipment.communication_state],
    (signal) =>
      live.calls.call(gem300Endpoints.proposeGem300, { params: { id }, query: { known: true } }, signal),
    NAMES_MS,
  )
  if (!value?.certain) return null
  return (
    <section class="panel" aria-labelledby="ports-heading">
      <h2 id="ports-heading">{words.heading}</h2>
      <p>
        {words.unmapped}
        <MapCommand equipment={equipment} />
      </p>
    </section>
  )
}

interface KnownProps extends Props {
  readonly mapped: Gem300
  readonly objects: Objects
  readonly asking: ReturnType<typeof useContents>
}

function Known({ live, equipment, view, mapped, objects, asking }: KnownProps) {
  const { contents, problem, isAsking, ask } = asking
  const canBeAsked = equipment.communication_state === 'COMMUNICATING' && !live.isStale.value
  return (
    <>
      <section class="panel" aria-labelledby="ports-heading">
        <div class="panel-head">
          <h2 id="ports-heading">{words.ports}</h2>
          {mapped.aligned_at && (
            <span class="muted">
              {words.asked} <Time at={mapped.aligned_at} today={live.calls.date()} />
            </span>
          )}
          {may('operator') && (
            <button type="button" disabled={!canBeAsked || isAsking} onClick={() => void ask()}>
              {isAsking ? words.asking : words.ask}
            </button>
          )}
        </div>
        {mapped.note && (
          <p class="notice">
            {mapped.note}
            {mapped.mapping === null && <MapCommand equipment={equipment} />}
          </p>
        )}
        {mapped.unknown.length > 0 && <p class="notice">{words.unknownNames(mapped.unknown.length)}</p>}
        {problem && (
          <p class="problem" role="alert">
            {texts.failed(problem)}
          </p>
        )}
        <Ports live={live} id={equipment.id} objects={objects} contents={contents} />
      </section>
      <JobQueue today={live.calls.date()} objects={objects} contents={contents} />
      {objects.performance.length > 0 && <PerformancePanel live={live} id={equipment.id} view={view} />}
    </>
  )
}
