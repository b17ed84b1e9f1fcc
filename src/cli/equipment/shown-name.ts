interface Row {
  readonly equipment_id: string
  /** Left out by older gateways. */
  readonly equipment_name?: string | null
}

/** The name of the equipment of a record: that of now, or the last one of equipment that was removed, or its id. */
export function shownName(nameOf: (id: string) => string, { equipment_id: id, equipment_name }: Row): string {
  const name = nameOf(id)
  return name === id ? (equipment_name ?? id) : name
}
