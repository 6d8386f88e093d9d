-- Creates the database and three users: an owner who migrates, a writer who cannot change tables, and a reader.
-- Run it with psql 15 or later as a superuser, with three passwords in the environment.

\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv writer_password WRITER_PASSWORD
\getenv reader_password READER_PASSWORD

create role email_analytics_owner login password :'owner_password';
create role email_analytics_writer login password :'writer_password';
create role email_analytics_reader login password :'reader_password';
create database email_analytics owner email_analytics_owner encoding 'UTF8' template template0;

\connect email_analytics
revoke connect, temporary on database email_analytics from public;
grant connect on database email_analytics to email_analytics_writer, email_analytics_reader;
-- These apply to all tables that the owner creates from now on, including those of later migrations.
alter default privileges for role email_analytics_owner
  grant select, insert, update, delete on tables to email_analytics_writer;
alter default privileges for role email_analytics_owner grant usage on sequences to email_analytics_writer;
alter default privileges for role email_analytics_owner grant select on tables to email_analytics_reader;
