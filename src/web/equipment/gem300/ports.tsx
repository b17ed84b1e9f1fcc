import type { ComponentChildren } from 'preact'
import type { KnownObject } from '../../../contract/topics/gem300/mapping.js'
import type { Live } from '../../gateway/live.js'
import { texts } from '../../texts.js'
import { ObjectState } from './object-state.js'
import { ChosenSlot, SlotMap } from './slot-map.js'
import { SlotLegend } from './slot-sign.js'
import { carrierAt, type Slot, slotsOf } from './slots.js'
import type { Contents } from './use-contents.js'
import type { Objects } from './use-objects.js'

const words = texts.gem300
/** Cards of load ports, and of carriers that are at none. */
const MOST_PORTS = 16
const MOST_CARRIERS = 8

interface Props {
  readonly live: Live
  /** Of the equipment. */
  readonly id: string
  readonly objects: Objects
  readonly contents: Contents | undefined
}

interface CarrierWithSlots {
  readonly carrier: KnownObject
  readonly slots: readonly Slot[]
}

/** Load ports with their carriers, and carriers elsewhere: those that were announced, and those within the equipment. */
export function Ports({ live, id, objects, contents }: Props) {
  const from = { live, id }
  const { port: ports, carrier: carriers, substrate: substrates } = objects
  const withSlots = (carrier: KnownObject): CarrierWithSlots => ({
    carrier,
    slots: slotsOf(carrier, substrates, contents?.of(carrier)),
  })
  const atPorts = ports.map((port) => ({ port, carrier: carrierAt(port, carriers) }))
  const there = new Set(atPorts.map(({ carrier }) => carrier?.object_id))
  const elsewhere = carriers.filter(({ object_id }) => !there.has(object_id))
  const cards = atPorts
    .slice(0, MOST_PORTS)
    .map(({ port, carrier }) => ({ port, held: carrier && withSlots(carrier) }))
  const others = elsewhere.slice(0, MOST_CARRIERS).map(withSlots)
  const drawn = [...cards.flatMap(({ held }) => held?.slots ?? []), ...others.flatMap(({ slots }) => slots)]
  const left = ports.length - cards.length + elsewhere.length - others.length
  return (
    <>
      {ports.length === 0 && <p class="muted">{words.noPorts}</p>}
      <div class="port-cards">
        {cards.map(({ port, held }) => (
          <Card key={port.object_id} {...from} title={words.port(port.object_id)} held={held}>
            <States object={port} names={PORT_STATES} />
          </Card>
        ))}
        {others.map((held) => (
          <Card
            key={held.carrier.object_id}
            {...from}
            title={words.elsewhere(held.carrier.details['location'] ?? '')}
            held={held}
          />
        ))}
      </div>
      {left > 0 && <p class="muted">{words.more(left)}</p>}
      {drawn.length > 0 && <SlotLegend slots={drawn} />}
    </>
  )
}

const PORT_STATES = ['transfer', 'access_mode', 'association', 'reservation'] as const
const CARRIER_STATES = ['id_status', 'slot_map_status', 'accessing_status'] as const

interface CardProps extends Pick<Props, 'live' | 'id'> {
  readonly title: string
  readonly held: CarrierWithSlots | undefined
  readonly children?: ComponentChildren
}

/** A load port, or a carrier that is at none. */
const Card = ({ live, id, title, held, children }: CardProps) => (
  <section class="port-card">
    <div class="port-box">
      <div>
        <h3 class="few-lines">{title}</h3>
        {children}
        {held ? (
          <div class="carrier">
            <h4 class="few-lines" title={held.carrier.object_id}>
              {words.carrier(held.carrier.object_id)}
            </h4>
            <States object={held.carrier} names={CARRIER_STATES} />
          </div>
        ) : (
          <p class="muted">{words.noCarrier}</p>
        )}
      </div>
      {held && (
        <>
          <SlotMap carrier={held.carrier.object_id} slots={held.slots} />
          <ChosenSlot live={live} id={id} carrier={held.carrier.object_id} slots={held.slots} />
        </>
      )}
    </div>
  </section>
)

function States({
  object,
  names,
}: {
  readonly object: KnownObject
  readonly names: readonly (keyof typeof words.states)[]
}) {
  return (
    <dl class="object-states">
      {names.map((name) => (
        <div key={name}>
          <dt>{words.states[name]}</dt>
          <dd>
            <ObjectState object={object} name={name} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
