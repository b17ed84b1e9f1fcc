import type { Tool } from '../../../src/simulator/gem300/tool.js'

/** `kind id state` of all objects of a tool. Performance is left out: nothing but events tells it. */
export function trueStates({ ports, cluster, jobs }: Tool): ReadonlyMap<string, string> {
  const states = new Map<string, string>()
  for (const { number, transfer, access, reservation, association } of ports.ports) {
    states.set(`port ${number} transfer`, transfer.state)
    states.set(`port ${number} access_mode`, access.state)
    states.set(`port ${number} reservation`, reservation.state)
    states.set(`port ${number} association`, association.state)
  }
  for (const { id, idStatus, slotMapStatus, accessing } of ports.carriers.values()) {
    states.set(`carrier ${id} id_status`, idStatus.state)
    states.set(`carrier ${id} slot_map_status`, slotMapStatus.state)
    states.set(`carrier ${id} accessing_status`, accessing.state)
  }
  for (const { id, machine } of jobs.process.values()) states.set(`job ${id} state`, machine.state)
  for (const { id, machine } of jobs.control) states.set(`control_job ${id} state`, machine.state)
  for (const { id, transport, processing } of cluster.substrates.values()) {
    states.set(`substrate ${id} state`, transport.state)
    states.set(`substrate ${id} processing`, processing.state)
  }
  return states
}

/** What differs, as lines; performance does not count. */
export function differences(
  known: ReadonlyMap<string, string>,
  truth: ReadonlyMap<string, string>,
): readonly string[] {
  const keys = [...new Set([...known.keys(), ...truth.keys()])].filter(
    (key) => !key.startsWith('performance'),
  )
  return keys.flatMap((key) =>
    known.get(key) === truth.get(key) ? [] : [`${key}: known ${known.get(key)}, is ${truth.get(key)}`],
  )
}
