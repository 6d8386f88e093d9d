-- The links that people clicked most, in the last 50 campaigns.
SELECT url, sum(human_clicks) AS clicks, count(*) AS campaigns
FROM analytics_1.email_links
WHERE url <> '' AND email_id IN (SELECT id FROM analytics_1.emails ORDER BY sent_at DESC, id DESC LIMIT 50)
GROUP BY url
ORDER BY clicks DESC, url
LIMIT 20;
