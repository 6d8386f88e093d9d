// Texts of the pages of tags.

import { type Html, html } from "../../html.ts";
import { formatCountOf } from "../ui/number-format.ts";

export const tagsStrings = {
  title: "Tags",
  addTag: "Add a tag",
  add: "Add tag",
  noTags: "No tags yet. A tag is a label for campaigns.",
  intro: html`The filter <code>tag_ids</code> of the API takes these IDs. Renaming a tag keeps its ID.`,
  caption: (count: number) => formatCountOf(count, "tag"),
  plural: "tags",
  tag: "Tag",
  id: "ID",
  idOf: (name: string) => `the ID of ${name}`,
  campaigns: "Campaigns",
  edit: "Edit",
  editNamed: (name: string) => `Edit ${name}`,
  name: "Name",
  color: "Color",
  colorRule: "a color of the form #RRGGBB",
  nameTaken: (name: string, id: number) =>
    `Name: the tag with the ID ${id} already has the name ${name}. Choose another.`,
  added: (name: string) => `Added the tag ${name}.`,

  // One tag
  tagTitle: (name: string) => `Tag ${name}`,
  nameAndColor: "Name and color",
  idIsFixed: (id: number): Html =>
    html`The ID <code>${id}</code> never changes. The API returns changes immediately.`,
  save: "Save",
  saved: (name: string) => `Saved the tag ${name}. The API returns it immediately.`,
  delete: "Delete",
  deleteTag: "Delete this tag",
  deleteNamed: (name: string) => `Delete ${name}`,
  loss: (campaigns: number) =>
    campaigns === 0
      ? "No campaign has this tag."
      : `${formatCountOf(campaigns, "campaign")} ${campaigns === 1 ? "loses" : "lose"} this tag and ${campaigns === 1 ? "keeps" : "keep"} everything else.`,
  deleteWarning: (id: number): Html =>
    html`Reports that filter by <code>tag_ids=${id}</code> find nothing anymore. You cannot undo this: a new tag gets another ID.`,
  deleted: (name: string) => `Deleted the tag ${name}.`,
  allTags: "All tags",
  notFound: "The tag does not exist. It may have been deleted.",
};
