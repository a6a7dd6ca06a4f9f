package tidemark.standin;

/** One table of a running pipeline: what it is, how its rows are laid out, and what it holds. */
record TableContent(TableDefinition definition, RowLayout layout, TableStore store) {
    TableContent(TableDefinition definition) {
        this(definition, new RowLayout(definition));
    }

    private TableContent(TableDefinition definition, RowLayout layout) {
        this(definition, layout, TableStore.of(definition, layout));
    }

    EventReader newReader() {
        return new EventReader(new RowReader(definition, layout), definition.keyed());
    }
}
