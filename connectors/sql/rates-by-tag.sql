-- The rates of each tag. A campaign with two tags is in both.
SELECT
  tags.name AS tag,
  count(*) AS campaigns,
  sum(unique_opens)::float8 / nullif(sum(recipient_count) FILTER (WHERE unique_opens IS NOT NULL), 0) AS open_rate,
  sum(unique_clicks)::float8 / nullif(sum(recipient_count) FILTER (WHERE unique_clicks IS NOT NULL), 0) AS click_rate
FROM analytics_1.emails
JOIN analytics_1.email_tags ON email_tags.email_id = emails.id
JOIN analytics_1.tags ON tags.id = email_tags.tag_id
WHERE recipient_count IS NOT NULL
GROUP BY 1
ORDER BY open_rate DESC NULLS LAST;
