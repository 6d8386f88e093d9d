// The queries of one organization. Statements that start from it name the organization, and so touch no row of another one.

import type {
  DeleteQueryBuilder,
  DeleteResult,
  Insertable,
  InsertQueryBuilder,
  InsertResult,
  QueryExecutor,
  QueryExecutorProvider,
  SelectQueryBuilder,
  UpdateQueryBuilder,
  UpdateResult,
} from "kysely";
import type { TableName, Tables } from "../tables/tables.ts";
import { isAnyOf } from "./dialect-differences.ts";
import type { Queries } from "./queries.ts";

/** Tables whose rows belong to an organization. */
type OwnedTable = {
  [Name in TableName]: Tables[Name] extends { organization_id: number } ? Name : never;
}[TableName];

type NewRow<Name extends OwnedTable> = Omit<Insertable<Tables[Name]>, "organization_id">;

type SomeColumns<Name extends OwnedTable> = Readonly<Partial<Omit<Tables[Name], "organization_id">>>;

/** Values by which rows are found, never null. A list means any of its values; SQLite finds no bytes by one. */
type Conditions<Name extends OwnedTable> = {
  readonly [Column in keyof SomeColumns<Name>]:
    | NonNullable<Tables[Name][Column]>
    | readonly Exclude<Tables[Name][Column], Uint8Array | null>[];
};

/** What the builders of Kysely have in common. Their types are too deep for a table that is a parameter. */
interface Builder {
  where(column: string, operator: string, value: unknown): Builder;
  where(condition: unknown): Builder;
}

/** Raw SQL and joined tables name the organization themselves, which test/support/one-organization.ts checks on PostgreSQL. */
export class Scope implements QueryExecutorProvider {
  readonly queries: Queries;
  readonly organizationId: number;

  constructor(queries: Queries, organizationId: number) {
    this.queries = queries;
    this.organizationId = organizationId;
  }

  getExecutor(): QueryExecutor {
    return this.queries.getExecutor();
  }

  from<Name extends OwnedTable>(
    table: Name,
    values?: Conditions<Name>,
  ): SelectQueryBuilder<Tables, Name, object> {
    return this.#own(table, this.queries.selectFrom(table as TableName), values) as never;
  }

  update<Name extends OwnedTable>(
    table: Name,
    values?: Conditions<Name>,
  ): UpdateQueryBuilder<Tables, Name, Name, UpdateResult> {
    return this.#own(table, this.queries.updateTable(table as TableName), values) as never;
  }

  delete<Name extends OwnedTable>(
    table: Name,
    values?: Conditions<Name>,
  ): DeleteQueryBuilder<Tables, Name, DeleteResult> {
    return this.#own(table, this.queries.deleteFrom(table as TableName), values) as never;
  }

  insert<Name extends OwnedTable>(
    table: Name,
    rows: NewRow<Name> | readonly NewRow<Name>[],
  ): InsertQueryBuilder<Tables, Name, InsertResult> {
    const owner = { organization_id: this.organizationId };
    // First, as the columns of a statement; last, so that no row has another organization.
    const values = [rows].flat().map((row) => ({ ...owner, ...(row as object), ...owner }));
    return this.queries.insertInto(table as TableName).values(values as never) as never;
  }

  /** Selects the rows with these values. */
  selectRows<Name extends OwnedTable>(
    table: Name,
    values?: Conditions<Name>,
  ): SelectQueryBuilder<Tables, Name, Tables[Name]> {
    return this.from(table, values).selectAll() as never;
  }

  /** How many rows have these values. */
  async countRows<Name extends OwnedTable>(table: Name, values?: Conditions<Name>): Promise<number> {
    const { count } = await this.from(table as "tags", values as Conditions<"tags">)
      .select((rows) => rows.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /** Changes the rows with these values. @returns how many there are */
  async updateRows<Name extends OwnedTable>(
    table: Name,
    values: Conditions<Name>,
    change: SomeColumns<Name>,
  ): Promise<number> {
    const { numUpdatedRows } = await this.update(table, values)
      .set(change as never)
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  }

  /** Deletes the rows with these values. @returns how many there were */
  async deleteRows<Name extends OwnedTable>(table: Name, values?: Conditions<Name>): Promise<number> {
    const { numDeletedRows } = await this.delete(table, values).executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  /**
   * Deletes the rows with these values up to the `limit`th in the order of a column, which tells them apart. With a list of
   * keys instead of a range, PostgreSQL would scan all of them for each.
   *
   * @returns whether there may be more
   */
  async deleteFirst<Name extends OwnedTable>(
    table: Name,
    values: Conditions<Name>,
    column: keyof Tables[Name] & string,
    limit: number,
  ): Promise<boolean> {
    const last = await this.from(table as "tags", values as Conditions<"tags">)
      .select(column as "name")
      .orderBy(column as "name")
      .offset(limit - 1)
      .limit(1)
      .executeTakeFirst();
    const rows = this.delete(table as "tags", values as Conditions<"tags">);
    await (last ? rows.where(column as "name", "<=", last[column as "name"]) : rows).execute();
    return last !== undefined;
  }

  #own(table: TableName, builder: unknown, values: object = {}): Builder {
    let own = (builder as Builder).where(`${table}.organization_id`, "=", this.organizationId);
    for (const [column, value] of Object.entries(values)) {
      own = Array.isArray(value) ? own.where(isAnyOf(this, column, value)) : own.where(column, "=", value);
    }
    return own;
  }
}
